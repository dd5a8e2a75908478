"""The kernel of a group in training: the values it saves, and the group that computes gradients.

softmax(x / s + mask)     the kernel                       y
                          saved                            y, and x and mask where gradients of
                                                           gradients read them
                          gradient (y, gradient of y)      gradient of x

layer norm                the kernel, with more outputs    y, sum of x, sum of squares
                          gradient (x, weight, both sums, gradient of y)

gelu(x + bias)            the kernel, with one more        y, x + bias
                          gradient (x + bias, gradient of y)

Inputs may be changed in place before the gradient is computed, unless eager saves them: such ones
the gradient does not read. What eager saves of inputs and outputs is saved here as well, so that
autograd raises an error where these have been changed, and there alone. For gradients of one input
alone eager reads less, and so does the kernel, but of temporaries, which stay as they are:

silu(x) * y       saved                            x and y, and silu(x) for the gradient of y alone
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

import torch
from torch import Tensor

from minits.bounded_cache import BoundedCache
from minits.ir.graph import Value
from minits.kernels.fused_kernel import FusedKernel
from minits.kernels.gradients.backward_group import BackwardGroup, Run
from minits.kernels.gradients.dropped_inputs import Dropped
from minits.kernels.gradients.eager_saves import EagerSaves, every_input
from minits.kernels.gradients.evaluated_gradients import gradients_of_group
from minits.kernels.gradients.gradient import (
    NotDifferentiable,
    differentiable_outputs,
    saved_beside,
    saved_values,
)
from minits.kernels.gradients.operator_saves import OperatorSaves
from minits.kernels.ir.kernel import KernelOutput, Level, Scalar
from minits.kernels.launch.call_key import KeyOf, key_of_tensors
from minits.kernels.lowering.result import OF_COMPLEX, OutputTensor, View
from minits.records import replace
from minits.types import types as t

MOST_GROUPS = 64
"""Choices of wanted gradients, and of outputs that have one, whose groups a kernel remembers."""


class TrainingKernel:
    """The kernel of calls in which the group's inputs `wanted` require gradients.

    `positions` are those of the group's outputs that are tensors of their own: a kernel may give
    one tensor for several. `tensors` are their indices in `lowered.made`; `is_kept` tells which of
    them depend on wanted inputs. `read` are the inputs that are saved for the gradient and for
    gradients of gradients, `kernel` is the group's with further outputs, which are saved, too.
    `eager` is what eager saves (default: every input). `unreached` are the inputs to which no
    gradients flow in eager, those of which the group asks the dtype alone among them: what made
    them must not run for any. `temporaries` are the inputs that nobody will change. Those that are
    `droppable` are dropped if gradients of gradients do not need them, either: `saves` tells of
    these. Raises NotDifferentiable.
    """

    def __init__(
        self,
        kernel: FusedKernel,
        wanted: frozenset[int],
        eager: EagerSaves | None = None,
        temporaries: frozenset[int] = frozenset(),
        droppable: frozenset[int] = frozenset(),
        saves: OperatorSaves | None = None,
    ) -> None:
        """Make the kernel. Raises NotDifferentiable."""
        self.lowered = lowered = kernel.lowered
        self.wanted = wanted
        self.tensors = list(dict.fromkeys(lowered.outputs))
        self.positions = [lowered.outputs.index(tensor) for tensor in self.tensors]
        self.spread = [self.tensors.index(tensor) for tensor in lowered.outputs]
        inputs = zip(lowered.sources, lowered.kernel.inputs, strict=True)
        self.dtypes = {source.index: given.dtype for source, given in inputs}
        needs = self._sources_of(wanted)
        kept = differentiable_outputs(lowered.kernel, needs)
        parts = [lowered.made[tensor].outputs for tensor in self.tensors]
        self.is_kept = [any(kept[output] for output in outputs) for outputs in parts]
        self.eager = eager or every_input(self.dtypes, self.positions)
        self._check(needs)
        unread = {
            index
            for index, value in enumerate(lowered.graph.inputs)
            if value.type == t.TENSOR and index not in self.dtypes
        }
        self.unreached = (wanted - self.eager.reached) | unread
        given = frozenset(self.positions)
        safe = self.eager.inputs(wanted, given)
        self.read = sorted({*BackwardGroup(lowered, needs, kept).read, *safe})
        self.numbers = [i for i in range(len(lowered.graph.inputs)) if i not in self.dtypes]
        self.checked = sorted(self.eager.outputs(wanted, given) & given)
        self.views: dict[Scalar, View] = {}
        results = self._results()
        of_operators = saves.read if saves else ()
        asked = {lowered.computed[value] for value in of_operators if value in lowered.computed}
        self.saved = saved_values(
            lowered.kernel, needs, list(results), self._apart_from(safe), asked
        )
        self._save_for_parts(wanted, safe, temporaries)
        self.kernel, self.saved_positions = self._kernel(kernel, results)
        self._groups: BoundedCache[Any, BackwardGroup] = BoundedCache(MOST_GROUPS)
        every = self.group(wanted, tuple(self.is_kept))
        self.kept_positions = self.saved_positions + [
            position for position in self.checked if position not in self.saved_positions
        ]
        """Positions of the outputs of `kernel` that are kept, behind the inputs `read`."""
        self.dropped = self._dropped(droppable.difference(safe, every.read), saves)
        self.read = [index for index in self.read if index not in self.dropped.inputs]
        self._lay_out_node(safe, needs)

    def _check(self, needs: Sequence[bool]) -> None:
        """Raise NotDifferentiable where a gradient that is needed is none of a kernel."""
        for source, need in zip(self.lowered.sources, needs, strict=True):
            if need and any(view.kind in OF_COMPLEX for view in source.views):
                raise NotDifferentiable("the gradient of a complex tensor is not a kernel")
        if any(
            position in self.eager.recorded and not kept_one
            for position, kept_one in zip(self.positions, self.is_kept, strict=True)
        ):
            raise NotDifferentiable("a result requires a gradient, of which a kernel has none")

    def _lay_out_node(self, safe: Collection[int], needs: Sequence[bool]) -> None:
        """Decide what the node keeps and returns, once it is known what is read and dropped."""
        lowered, wanted = self.lowered, self.wanted
        self.names = self._names()
        self.kept_dtypes = [self._dtype_of_output(each) for each in self.kept_positions]
        self.handed = [each for each in self.saved_positions if each >= len(lowered.outputs)]
        """Positions of outputs of `kernel` that are saved values alone. They are the node's, too,
        so that gradients of gradients flow on through it."""
        made = len(self.kernel.lowered.outputs)
        stand_ins = [made + number for number in range(len(self.dropped.stand_ins))]
        self.keep = _picks(
            "values, outputs",
            [_kept_input(index, index in safe, index in wanted) for index in self.read]
            + [f"outputs[{position}]" for position in self.kept_positions + stand_ins],
        )
        returned = self.positions + self.handed
        self.results = _picks("outputs", [f"outputs[{index}]" for index in returned + stand_ins])
        self.is_plain = len(self.spread) == len(self.tensors) == len(returned + stand_ins)
        self.kept_count = len(self.read) + len(self.kept_positions)
        self.returned_count = len(returned)
        self.lost = [each for each in returned if not self._flows(each, needs)]
        self.numbers_of = _picks("values", [f"values[{index}]" for index in self.numbers])
        self.key = _gradient_key(self.kept_count)

    def _dropped(self, droppable: frozenset[int], saves: OperatorSaves | None) -> Dropped:
        """Return the inputs, of these, without which the operators have their gradients, too."""
        graph = self.lowered.graph
        candidates = droppable.intersection(self.read)
        if saves is None or not candidates:
            return Dropped(graph)
        known = {value: number for value, number in self._kept_values() if value in saves.own}
        others = [x for index, x in enumerate(graph.inputs) if index not in candidates]
        behind = saves.inputs_behind({*known, *others})
        inputs = sorted(index for index in candidates if graph.inputs[index] not in behind)
        stand_ins: dict[torch.dtype, list[int]] = {}
        for index in inputs:
            if index in self.wanted - self.unreached:
                stand_ins.setdefault(self.dtypes[index], []).append(index)
        groups = tuple(map(tuple, stand_ins.values()))
        return Dropped(graph, tuple(inputs), groups, tuple(known.items()))

    def _kept_values(self) -> Iterator[tuple[Value, int]]:
        """Yield values of the graph that are kept, and at which of `kept_positions`."""
        outputs = self.lowered.graph.outputs
        for number, position in enumerate(self.kept_positions):
            if position < len(outputs):
                yield outputs[position], number
            else:
                saved = self.saved[self.saved_positions.index(position)]
                for value, scalar in self.lowered.computed.items():
                    if scalar is saved:
                        yield value, number

    def _save_for_parts(
        self, wanted: frozenset[int], safe: frozenset[int], temporaries: frozenset[int]
    ) -> None:
        """Save what the gradient of one output by one input reads and eager keeps otherwise.

        Operators that lead to other inputs, or follow from them alone, do not run then: what these
        have saved may be changed.
        """
        for index in sorted(wanted):
            alone = frozenset([index])
            given: dict[frozenset[int], list[int]] = {}
            for position in self.positions:
                kept = self.eager.inputs(alone, frozenset([position])) | temporaries
                given.setdefault(safe & kept, []).append(position)
            for unchanged, positions in given.items():
                if unchanged != safe:
                    self._save_beside(alone, positions, unchanged)

    def _save_beside(
        self, wanted: frozenset[int], given: Sequence[int], unchanged: frozenset[int]
    ) -> None:
        """Save what lets gradients of outputs at `given` read only these of the group's inputs."""
        is_given = self._by_output([position in given for position in self.positions], False)
        self.saved = saved_beside(
            self.lowered.kernel,
            self._sources_of(wanted),
            self.saved,
            self._apart_from(unchanged),
            is_given,
        )

    def _apart_from(self, safe: frozenset[int]) -> list[int]:
        """Return the numbers of the kernel's inputs that are not read from these of the group."""
        return [n for n, source in enumerate(self.lowered.sources) if source.index not in safe]

    def _results(self) -> dict[Scalar, int]:
        """Return the FULL values that are outputs which eager saves, and their positions.

        Those that are parts of one have views of it.
        """
        found: dict[Scalar, int] = {}
        for position in self.checked:
            made = self.lowered.made[self.lowered.outputs[position]]
            for output in made.outputs:
                value = self.lowered.kernel.outputs[output].value
                view = self.lowered.part_view(output)
                if value.level is Level.FULL and value.op != "load" and value not in found:
                    found[value] = position
                    if view is not None:
                        self.views[value] = view
        return found

    def _kernel(
        self, kernel: FusedKernel, results: Mapping[Scalar, int]
    ) -> tuple[FusedKernel, list[int]]:
        """Return a kernel that computes the saved values, too, and the numbers of these outputs."""
        lowered = kernel.lowered
        outputs = list(lowered.kernel.outputs)
        tensors, positions = list(lowered.outputs), []
        made = list(lowered.made)
        for value in self.saved:
            if value in results:
                positions.append(results[value])
                continue
            positions.append(len(tensors))
            tensors.append(len(made))
            made.append(OutputTensor((len(outputs),)))
            outputs.append(KernelOutput(value))
        if len(outputs) == len(lowered.kernel.outputs):
            return kernel, positions
        saving = replace(lowered.kernel, outputs=outputs)
        arrangement = lowered.arrangement and lowered.arrangement.anew()
        saved = replace(lowered, kernel=saving, outputs=tensors, made=made, arrangement=arrangement)
        return FusedKernel(saved), positions

    def _dtype_of_output(self, position: int) -> torch.dtype:
        lowered = self.kernel.lowered
        made = lowered.made[lowered.outputs[position]]
        return lowered.kernel.outputs[made.outputs[0]].value.dtype

    def _flows(self, position: int, needs: Sequence[bool]) -> bool:
        """Return whether gradients flow through an output of `kernel`."""
        lowered = self.kernel.lowered
        flows = differentiable_outputs(lowered.kernel, needs)
        return any(flows[output] for output in lowered.made[lowered.outputs[position]].outputs)

    def _names(self) -> list[str]:
        """Return names of inputs, saved values and gradients of outputs in a gradient's call."""
        names = ["None"] * len(self.lowered.graph.inputs)
        for number, index in enumerate(self.numbers):
            names[index] = f"numbers[{number}]"
        for number, index in enumerate(self.read):
            names[index] = f"kept[{number}]"
        names += [f"kept[{len(self.read) + number}]" for number in range(len(self.saved))]
        found = [f"given[{number}]" for number in range(len(self.tensors))]
        return names + self._by_output(found, "None")

    def _sources_of(self, wanted: Iterable[int]) -> list[bool]:
        return [source.index in wanted for source in self.lowered.sources]

    def group(self, wanted: frozenset[int], given: tuple[bool, ...]) -> BackwardGroup:
        """Return the group that computes gradients of inputs from those of the outputs `given`."""
        found = self._groups.get((wanted, given))
        if found is None:
            is_given = self._by_output(given, False)
            made = BackwardGroup(
                self.lowered, self._sources_of(wanted), is_given, self.saved, self.views
            )
            found = self._groups.put((wanted, given), made)
        return found

    def _by_output(self, items: Sequence[Any], missing: Any) -> list[Any]:
        """Values of the tensors that are made, in the order of the kernel's outputs."""
        found = [missing] * len(self.lowered.kernel.outputs)
        for tensor, item in zip(self.tensors, items, strict=True):
            for output in self.lowered.made[tensor].outputs:
                found[output] = item
        return found

    def bind_gradients(
        self, values: Sequence[Any], saved: Sequence[Tensor], given: Sequence[Tensor | None],
        wanted: frozenset[int],
    ) -> Run:  # fmt: skip
        """Return a function for the gradients of calls of exactly these shapes and strides.

        `values` are the group's inputs; of tensors that are not read, their shapes. `given` are the
        gradients of the outputs at `positions`, each of the output's shape. Raises ShapeMismatch
        and NoCompiler.
        """
        group = self.group(wanted, tuple([gradient is not None for gradient in given]))
        return group.bind(values, saved, self._by_output(given, None), self.names)

    def reads(self, needs: Sequence[bool], given: Sequence[Any]) -> frozenset[int]:
        """Return the indices of the kept tensors that eager or the gradient reads.

        `needs` and `given` are those of the node.
        """
        wanted = frozenset([index for index in self.dtypes if needs[1 + index]])
        is_given = tuple([gradient is not None for gradient in given])
        after = frozenset([p for p, each in zip(self.positions, is_given, strict=True) if each])
        inputs = self.eager.inputs(wanted, after) | {*self.group(wanted, is_given).read}
        outputs = self.eager.outputs(wanted, after)
        read = [index in inputs for index in self.read]
        read += [position in outputs for position in self.kept_positions]
        return frozenset([index for index, each in enumerate(read) if each])

    def results_among(self, kept: Sequence[Tensor]) -> dict[int, Tensor]:
        """Return the group's outputs that are kept because eager saves them, by their positions."""
        pairs = zip(self.kept_positions, kept[len(self.read) :], strict=True)
        return {position: tensor for position, tensor in pairs if position in self.checked}

    def further_gradients(
        self,
        values: Sequence[Any],
        wanted: frozenset[int],
        kept: Sequence[Tensor],
        given: Sequence[Tensor | None],
    ) -> Sequence[Tensor | None]:
        """Return a gradient for each group input, of its shape; None for those that are not wanted.

        `given` are the gradients of all that the node returns. The results can be differentiated in
        turn. Of inputs that must not be read, `values` has shapes.
        """
        lowered = self.kernel.lowered
        views = map(self.views.get, self.saved)
        tensors = zip(views, kept[len(self.read) :], strict=False)
        seen = [x if view is None else view(x) for view, x in tensors]
        saved = list(zip(self.saved, seen, strict=True))
        by_output: list[Tensor | None] = [None] * len(lowered.kernel.outputs)
        for position, gradient in zip(self.positions + self.handed, given, strict=True):
            for output in lowered.made[lowered.outputs[position]].outputs:
                by_output[output] = gradient
        return gradients_of_group(lowered, values, wanted, saved, by_output)


def _kept_input(index: int, is_safe: bool, is_wanted: bool) -> str:
    """An expression of what is kept of an input. Eager keeps only safe ones, of inference too.

    An unsafe one may be written to with what requires gradients: it is kept as it is known now.
    """
    value = f"values[{index}]"
    if is_safe:
        return value
    kept = value if is_wanted else f"{value}.detach()"
    return f"({value}.clone() if {value}.is_inference() else {kept})"


def _picks(arguments: str, items: Sequence[str]) -> Callable[..., tuple[Any, ...]]:
    """Return a function that gives these expressions of its arguments."""
    function: Callable[..., tuple[Any, ...]] = eval(
        f"lambda {arguments}: ({''.join([item + ', ' for item in items])})"
    )
    return function


def _gradient_key(kept: int) -> Callable[..., Any]:
    """Return the key of a call's gradients. Hooks may have put other tensors there."""
    keys: dict[tuple[bool, ...], KeyOf] = {}

    def key(needs: Sequence[bool], saved: Sequence[Tensor], given: Sequence[Tensor | None]) -> Any:
        pattern = tuple([gradient is None for gradient in given])
        of_tensors = keys.get(pattern)
        if of_tensors is None:
            present = [index for index, is_none in enumerate(pattern) if not is_none]
            indices = [*range(kept), *[kept + index for index in present]]
            of_tensors = keys[pattern] = key_of_tensors(indices)
        return needs, pattern, of_tensors([*saved, *given])

    return key
