"""What a group does so that gradients flow: what its kernel saves, and what computes the gradients.

softmax(x / s + mask)     the kernel                       y
                          saved                            y, and x and mask where gradients of
                                                           gradients read them
                          gradient (y, gradient of y)      gradient of x

layer norm                the kernel, with more outputs    y, sum of x, sum of squares
                          gradient (x, weight, both sums, gradient of y)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from torch import Tensor

from minits.kernels.backward_group import BackwardGroup, Run
from minits.kernels.call_key import key_of_tensors
from minits.kernels.fused import FusedKernel
from minits.kernels.gradient import NotDifferentiable, differentiable_outputs, worth_saving
from minits.kernels.kernel import KernelOutput, Level
from minits.kernels.lowering.result import OF_COMPLEX, Made
from minits.records import replace


class Plan:
    """How calls run in which the group's inputs `wanted` require gradients.

    `positions` are those of the group's outputs that are tensors of their own: a kernel may give
    one tensor for several. `places` are these tensors in `lowered.made`; `is_kept` tells which of
    them depend on wanted inputs. `read` are the inputs that are saved for the gradient, `kernel` is
    the group's with further outputs, which are saved, too. Raises NotDifferentiable.
    """

    def __init__(self, kernel: FusedKernel, wanted: frozenset[int]) -> None:
        self.lowered = lowered = kernel.lowered
        self.places = list(dict.fromkeys(lowered.outputs))
        self.positions = [lowered.outputs.index(place) for place in self.places]
        self.spread = [self.places.index(place) for place in lowered.outputs]
        inputs = zip(lowered.sources, lowered.kernel.inputs, strict=True)
        self.dtypes = {source.index: given.dtype for source, given in inputs}
        needs = self._sources_of(wanted)
        for source, need in zip(lowered.sources, needs, strict=True):
            if need and any(view.kind in OF_COMPLEX for view in source.views):
                raise NotDifferentiable("the gradient of a complex tensor is not a kernel")
        kept = differentiable_outputs(lowered.kernel, needs)
        parts = [lowered.made[place].outputs for place in self.places]
        self.is_kept = [any(kept[output] for output in outputs) for outputs in parts]
        self.read = BackwardGroup(lowered, needs, kept).read
        self.numbers = [i for i in range(len(lowered.graph.inputs)) if i not in self.dtypes]
        self.saved = worth_saving(lowered.kernel, needs)
        self.kernel, self.saved_positions = self._kernel(kernel)
        self._groups: dict[Any, BackwardGroup] = {}
        self.group(wanted, tuple(self.is_kept))
        self.names = self._names()
        self.keep = _picks(
            "values, outputs",
            [f"values[{index}]" for index in self.read]
            + [f"outputs[{position}]" for position in self.saved_positions],
        )
        self.results = _picks("outputs", [f"outputs[{index}]" for index in self.positions])
        self.is_plain = len(self.spread) == len(self.places)
        self.lost = [
            position
            for position, kept_one in zip(self.positions, self.is_kept, strict=True)
            if not kept_one
        ]
        self.numbers_of = _picks("values", [f"values[{index}]" for index in self.numbers])
        self.key = _gradient_key(len(self.read) + len(self.saved), len(self.places))

    def _kernel(self, kernel: FusedKernel) -> tuple[FusedKernel, list[int]]:
        """Return what computes the saved values, too, and which of its outputs these are."""
        lowered = kernel.lowered
        outputs = list(lowered.kernel.outputs)
        places, positions = list(lowered.outputs), []
        made = list(lowered.made)
        known = {
            outputs[output].value: position
            for position, place in enumerate(places)
            for output in made[place].outputs
        }
        for value in self.saved:
            if value.level is Level.FULL:
                positions.append(known[value])
                continue
            positions.append(len(places))
            places.append(len(made))
            made.append(Made((len(outputs),)))
            outputs.append(KernelOutput(value))
        if len(outputs) == len(lowered.kernel.outputs):
            return kernel, positions
        saving = replace(lowered.kernel, outputs=outputs)
        arrangement = lowered.arrangement and lowered.arrangement.anew()
        saved = replace(lowered, kernel=saving, outputs=places, made=made, arrangement=arrangement)
        return FusedKernel(saved), positions

    def _names(self) -> list[str]:
        """Where a gradient's call finds inputs, saved values and the gradients of outputs."""
        names = ["None"] * len(self.lowered.graph.inputs)
        for place, index in enumerate(self.numbers):
            names[index] = f"numbers[{place}]"
        for place, index in enumerate(self.read):
            names[index] = f"kept[{place}]"
        names += [f"kept[{len(self.read) + place}]" for place in range(len(self.saved))]
        found = [f"given[{place}]" for place in range(len(self.places))]
        return names + self._by_place(found, "None")

    def _sources_of(self, wanted: Iterable[int]) -> list[bool]:
        return [source.index in wanted for source in self.lowered.sources]

    def group(self, wanted: frozenset[int], given: tuple[bool, ...]) -> BackwardGroup:
        """Return what computes gradients of these inputs from those of the outputs `given`."""
        found = self._groups.get((wanted, given))
        if found is None:
            is_given = self._by_place(given, False)
            found = BackwardGroup(self.lowered, self._sources_of(wanted), is_given, self.saved)
            self._groups[wanted, given] = found
        return found

    def _by_place(self, items: Sequence[Any], missing: Any) -> list[Any]:
        """What belongs to the tensors that are made, in the order of the kernel's outputs."""
        found = [missing] * len(self.lowered.kernel.outputs)
        for place, item in zip(self.places, items, strict=True):
            for output in self.lowered.made[place].outputs:
                found[output] = item
        return found

    def bind_gradients(
        self, values: Sequence[Any], saved: Sequence[Tensor], given: Sequence[Tensor | None],
        wanted: frozenset[int],
    ) -> Run:  # fmt: skip
        """Return what computes the gradients of calls like this. Raises as a kernel does."""
        group = self.group(wanted, tuple([gradient is not None for gradient in given]))
        return group.bind(values, saved, self._by_place(given, None), self.names)


def _picks(arguments: str, items: Sequence[str]) -> Callable[..., tuple[Any, ...]]:
    """Return a function that gives these expressions of its arguments."""
    function: Callable[..., tuple[Any, ...]] = eval(
        f"lambda {arguments}: ({''.join([item + ', ' for item in items])})"
    )
    return function


def _gradient_key(kept: int, given: int) -> Callable[..., Any]:
    """Return what tells apart the gradients of a call. Hooks may have put other tensors there."""
    key_of = key_of_tensors(range(kept + given))
    return lambda needs, kept, given: (needs, key_of([*kept, *given]))
