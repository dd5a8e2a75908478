"""Calls of a group that record gradients, for inputs of the same shapes and strides.

    y, = call.recorded([x, bias])      the kernel, as one node of the graph
    y.sum().backward()                 `call.gradients`: the kernel of the gradients

What was bound is kept with the call: its launch, and that of each choice of gradients that are
wanted. What kernels cannot do is done by `unfused`, the group as torch's own operators.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from torch import Tensor

from minits.bounded_cache import BoundedCache
from minits.kernels.cpu.background import BeingBuilt
from minits.kernels.cpu.c_build import NoCompiler
from minits.kernels.fused_kernel import FusedKernel, Launch, ShapeMismatch
from minits.kernels.gradients.backward_group import Run
from minits.kernels.gradients.dropped_inputs import DroppedInputs
from minits.kernels.gradients.graph_node import apply
from minits.kernels.gradients.training_kernel import TrainingKernel
from minits.kernels.gradients.unfused_gradients import unfused_gradients
from minits.kernels.launch.guards import Guard, match_for, never
from minits.kernels.launch.observers import undisturbed
from minits.types.tensor_meta import is_plain

Unfused = Callable[..., Sequence[Tensor]]
MOST_GRADIENTS = 256
"""Choices of gradients that are wanted, and kinds of given ones, that a call remembers."""

Gradients = tuple[Any, Guard, Run]
"""(the wanted gradients, a guard: tensors are like those of a call, the function to run then)."""


def given_as(results: Sequence[Tensor], single: bool) -> Any:
    """Return the result of a call: a tuple, or the only output if `single`."""
    return results[0] if single else tuple(results)


class Call:
    """The runs of a group for inputs of certain shapes and strides, with and without gradients.

    Raises ShapeMismatch and NoCompiler when it is made.
    """

    def __init__(
        self,
        kernel: FusedKernel,
        unfused: Unfused,
        training: TrainingKernel,
        values: Sequence[Any],
        single: bool,
    ) -> None:
        self.kernel = kernel
        self.unfused = unfused
        self.single = single
        self.dropped = DroppedInputs(training.dropped, values)
        self.is_alone = single and not training.handed and not training.dropped.stand_ins
        self.training = training
        self.shapes = {index: tuple(values[index].shape) for index in training.dtypes}
        self.read = [(values[index].dtype, self.shapes[index]) for index in training.read]
        self.runs: BoundedCache[Any, Gradients] = BoundedCache(MOST_GRADIENTS)
        self.last: Gradients = (None, never, never)
        self.launch: Launch = training.kernel.bind(values)
        self.unrecorded: Launch | None = None

    def plain(self, values: Sequence[Any]) -> Any:
        """Run the kernel, recording no gradients, on inputs of this call's shapes and strides."""
        if self.unrecorded is None and not self._binds(values):
            return given_as(self.unfused(*values), self.single)
        return self.unrecorded(*values)  # type: ignore[misc]

    def recorded(self, values: Sequence[Any]) -> Any:
        """Run the kernel as a node of autograd, on inputs of this call's shapes and strides."""
        if self.training.unreached:
            values = self._detached(values)
        results = apply(self, *values)
        if self.is_alone or (self.training.is_plain and not self.single):
            return results
        return results[0] if self.single else tuple([results[n] for n in self.training.spread])

    def _detached(self, values: Sequence[Any]) -> list[Any]:
        """The inputs, of which those to which no gradients flow are no part of the graph."""
        unreached = self.training.unreached
        return [x.detach() if index in unreached else x for index, x in enumerate(values)]

    @undisturbed()
    def _binds(self, values: Sequence[Any]) -> bool:
        """Bind what calls need that record no gradients."""
        try:
            self.unrecorded = self.kernel.bind(values, self.single)
        except (ShapeMismatch, NoCompiler):
            return False
        return True

    # ---- Gradients -----------------------------------------------------------------------------

    def gradients(
        self,
        needs: Sequence[bool],
        kept: Sequence[Tensor],
        given: Sequence[Tensor | None],
        numbers: Sequence[Any],
    ) -> Gradients:
        """Return the wanted gradients, a guard for tensors like these, and the function to run.

        `needs` tells which of the node's inputs want a gradient: the call, then the group's. `kept`
        are the tensors that the kernel keeps, `given` the gradients of its outputs, each of the
        output's shape and dtype. The function gives a gradient of the shape and dtype of each input
        that wants one, else None.
        """
        found = self.runs.get(self.training.key(needs, kept, given))
        return found or self._bind_gradients(needs, kept, given, numbers)

    @undisturbed()
    def _bind_gradients(
        self,
        needs: Sequence[bool],
        kept: Sequence[Tensor],
        given: Sequence[Tensor | None],
        numbers: Sequence[Any],
    ) -> Gradients:
        """Remember what computes gradients for such tensors.

        While their kernel is built in the background, operators do, and nothing is remembered.
        """
        try:
            run = self._bound_gradients(needs, kept, given, numbers)
        except BeingBuilt:
            return needs, never, UnfusedRun(self, needs)
        guard = match_for([*kept, *given])
        return self.runs.put(self.training.key(needs, kept, given), (needs, guard, run))

    def _bound_gradients(
        self,
        needs: Sequence[bool],
        kept: Sequence[Tensor],
        given: Sequence[Tensor | None],
        numbers: Sequence[Any],
    ) -> Run:
        present = [gradient for gradient in given if gradient is not None]
        if not present:
            return lambda kept, given, numbers: (None,) * len(needs)

        unfused = UnfusedRun(self, needs)
        first = len(self.training.read)
        dtypes = [x.dtype for x in kept[first:]]
        if not all(map(is_plain, present)) or dtypes != self.training.kept_dtypes:
            return unfused
        is_given = tuple([gradient is not None for gradient in given])
        read = self.training.group(self.wanted(needs), is_given).read
        changed = self._changed(kept)
        if not changed.isdisjoint(read) or not set(self.training.read).issuperset(read):
            return unfused
        values = self.values(kept, numbers)
        for index in changed:
            values[index] = self.shapes[index]
        saved = kept[first : first + len(self.training.saved)]
        try:
            return self.training.bind_gradients(values, saved, given, self.wanted(needs))
        except BeingBuilt:
            raise
        except (ShapeMismatch, NoCompiler):
            return unfused

    def _changed(self, kept: Sequence[Tensor]) -> set[int]:
        """Return the kept inputs that have another dtype or shape now.

        `x.data = other`, `x.t_()` and hooks give them others.
        """
        inputs = zip(self.training.read, self.read, kept, strict=False)
        return {index for index, was, x in inputs if was != (x.dtype, tuple(x.shape))}

    def unfused_gradients(
        self,
        needs: Sequence[bool],
        kept: Sequence[Tensor],
        given: Sequence[Any],
        numbers: Any,
        stand_ins: Sequence[Tensor] = (),
    ) -> Sequence[Tensor | None]:
        """Return the gradients of the node's inputs, computed by torch's operators.

        Those of dropped inputs depend on the `stand_ins`. Each has the shape and dtype of its
        input; None for the call and where none is wanted.
        Raises what the operators raise.
        """
        pairs = [
            (position, gradient)
            for position, gradient in zip(self.training.positions, given, strict=True)
            if gradient is not None
        ]
        if not pairs:
            return (None,) * len(needs)
        values = self.values(kept, numbers)
        results = self.training.results_among(kept)
        unfused, drops = self.unfused, bool(self.training.dropped.inputs)
        if drops:
            unfused = self.training.dropped.again(kept[len(self.training.read) :])
            for index, tensor in self.dropped.inputs(stand_ins).items():
                values[index] = tensor
        wanted = self.wanted(needs)
        found = unfused_gradients(
            unfused, values, self.training.dtypes, pairs, wanted, results, drops
        )
        return (None, *found)

    def is_unfused(self, run: Run) -> bool:
        """Return whether a run computes gradients by torch's operators."""
        return isinstance(run, UnfusedRun)

    def values(self, kept: Sequence[Tensor], numbers: Sequence[Any]) -> list[Any]:
        """The group's inputs, as far as they were saved; of others, their shapes."""
        training = self.training
        values: list[Any] = [None] * len(training.lowered.graph.inputs)
        for index, shape in self.shapes.items():
            values[index] = shape
        for index, number in zip(training.numbers, numbers, strict=True):
            values[index] = number
        for index, tensor in zip(training.read, kept, strict=False):
            values[index] = tensor
        return values

    def wanted(self, needs: Sequence[bool]) -> frozenset[int]:
        """Return the group's inputs that need gradients; a node's first argument is the call."""
        return frozenset([index for index in self.shapes if needs[1 + index]])


class UnfusedRun:
    """Computes gradients of a call by torch's operators, as a `Run` does."""

    def __init__(self, call: Call, needs: Sequence[bool]) -> None:
        self.call = call
        self.needs = needs

    def __call__(self, kept: Sequence[Tensor], given: Sequence[Any], numbers: Any) -> Any:
        return self.call.unfused_gradients(self.needs, kept, given, numbers)
