"""Fused kernels under autograd: a group is one node of the graph, and so is its gradient.

    run = differentiable(FusedKernel(lowered), unfused)
    y, = run(x, bias)                  one kernel
    y.sum().backward()                 one kernel; then bias's gradient is summed to its shape

The gradient's kernel computes what it needs again from inputs and outputs that eager saves as well,
and from values that the kernel saves for it: see `gradient_plan`. So what was changed in place
since then is an error where it is one in eager. Of inputs that eager does not save, only gradients
of gradients read anything; what these do when such an input was changed is in `after_changes`.

Calls for tensors of the same shapes and strides share a `Call`, and their gradients a function that
is generated once: a call of a small group takes some microseconds, of which most are autograd's.

What kernels cannot do is done by `unfused`, which takes and returns what the kernel does and is
made of torch's operators: gradients of gradients, calls under `torch.autocast`, `torch.func`'s
transforms or forward-mode differentiation, and kernels with an operation whose derivative is not
known.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor

from minits.bounded_cache import BoundedCache
from minits.kernels.cpu.background import BeingBuilt
from minits.kernels.cpu.c_build import NoCompiler
from minits.kernels.fused_kernel import FusedKernel, Launch, ShapeMismatch
from minits.kernels.gradients.after_changes import AfterChanges, is_checked_by_autograd
from minits.kernels.gradients.backward_group import Run
from minits.kernels.gradients.eager_saves import EagerSaves, eager_saves, lies_as_saved
from minits.kernels.gradients.gradient import NotDifferentiable
from minits.kernels.gradients.gradient_plan import Plan
from minits.kernels.gradients.unfused_gradients import unfused_gradients
from minits.kernels.launch.call_key import key_of_tensors
from minits.kernels.launch.guards import Guard, guard_for, never
from minits.kernels.launch.launch import CallRefused, while_unrecorded
from minits.kernels.launch.observers import is_observed, is_recording, is_transformed, undisturbed
from minits.types.tensor_meta import is_plain

Unfused = Callable[..., Sequence[Tensor]]
MOST_CALLS = 256
"""Combinations of shapes and strides that are kept: of a group's inputs, and of gradients."""
MOST_PLANS = 64
"""Choices of inputs that want gradients, and kinds of these, that a kernel remembers."""

Gradients = tuple[Any, Guard, Run]
"""Which gradients are wanted, whether tensors are like those of a call, and what to run then."""

_is_grad_enabled = torch.is_grad_enabled


def differentiable(kernel: FusedKernel, unfused: Unfused) -> Differentiable:
    """Return an object that runs the kernel as a node of autograd.

    It takes the group's inputs and returns a tuple of its outputs. It raises what the kernel
    raises, ShapeMismatch and NoCompiler, before anything has been computed.
    """
    return Differentiable(kernel, unfused)


class Differentiable:
    """See `differentiable`. `refusals` tells why calls ran unfused, once for each reason."""

    def __init__(self, kernel: FusedKernel, unfused: Unfused) -> None:
        self.kernel = kernel
        self.unfused = unfused
        self.refusals: list[str] = []
        self.tensors = sorted({source.index for source in kernel.lowered.sources})
        self._plans: BoundedCache[Any, Plan | None] = BoundedCache(MOST_PLANS)
        self._key = key_of_tensors(kernel.lowered.seen)
        self._calls: BoundedCache[Any, Callable[..., Any]] = BoundedCache(MOST_CALLS)

    def __call__(self, *values: Any) -> tuple[Tensor, ...]:
        if is_observed():
            return tuple(self.unfused(*values))
        key = self._key(values)
        call = self._calls.get(key)
        if call is None:
            with undisturbed():
                call = self._calls.put(key, self.bind(values))
        result: tuple[Tensor, ...] = call(*values)
        return result

    def bind(self, values: Sequence[Any], single: bool = False) -> Callable[..., Any]:
        """Return a launcher for inputs of exactly these shapes, strides and requires_grad.

        It returns a tuple, or the only output if `single`. It is not for calls under autocast,
        transforms or forward-mode differentiation. Raises ShapeMismatch, NoCompiler, CallRefused.
        """
        wanted = tuple([values[index].requires_grad for index in self.tensors])
        if True not in wanted:
            return self.kernel.bind(values, single)
        if not is_recording():
            return self._unrecorded(self.kernel.bind(values, single), single)
        plan = self._plan_for(wanted, values)
        if plan is None:
            return self._unfused_call(single)
        if True not in plan.is_kept:
            return self.kernel.bind(values, single)
        return _function_of(Call(self, plan, values, single))

    def _unrecorded(self, launch: Launch, single: bool) -> Launch:
        """Return a function that runs a launch; it plans gradients when a call records any."""

        @undisturbed()
        def bind(values: Sequence[Any]) -> Launch:
            return self.bind(values, single)

        def other(*values: Any) -> Any:
            return _given(self.unfused(*values), single)

        return while_unrecorded(launch, bind, other, ShapeMismatch, NoCompiler, CallRefused)

    def _unfused_call(self, single: bool) -> Callable[..., Any]:
        """Without gradients the kernel is right even where its derivative is not known."""

        def unfused_call(*values: Any) -> Any:
            run = self.unfused if is_recording() else self.kernel
            return _given(run(*values), single)

        return unfused_call

    def recording(self, values: Sequence[Any]) -> FusedKernel | None:
        """Return the kernel that runs while gradients of such inputs are recorded, or None.

        Raises CallRefused.
        """
        wanted = tuple([values[index].requires_grad for index in self.tensors])
        plan = self._plan_for(wanted, values)
        return None if plan is None else plan.kernel

    def _plan_for(self, wanted: tuple[bool, ...], values: Sequence[Any]) -> Plan | None:
        key = (wanted, *[lies_as_saved(values[index]) for index in self.tensors])
        try:
            return self._plans[key]
        except KeyError:
            return self._plans.put(key, self._plan(wanted, values))

    def _plan(self, wanted: tuple[bool, ...], values: Sequence[Any]) -> Plan | None:
        chosen = zip(self.tensors, wanted, strict=True)
        indices = frozenset([index for index, wants in chosen if wants])
        try:
            return Plan(self.kernel, indices, self._saves(values, indices))
        except NotDifferentiable as fault:
            self.refusals.append(str(fault))
            return None

    def _saves(self, values: Sequence[Any], indices: frozenset[int]) -> EagerSaves:
        try:
            return eager_saves(self.unfused, values, indices)
        except NotDifferentiable:
            raise
        except Exception as fault:
            raise CallRefused from fault


def _given(results: Sequence[Tensor], single: bool) -> Any:
    """Return the result of a call: a tuple, or the only output if `single`."""
    return results[0] if single else tuple(results)


class Call:
    """The runs of a group for inputs of certain shapes and strides, with and without gradients.

    Raises ShapeMismatch and NoCompiler when it is made.
    """

    def __init__(
        self, owner: Differentiable, plan: Plan, values: Sequence[Any], single: bool
    ) -> None:
        self.unfused = owner.unfused
        self.kernel = owner.kernel
        self.single = single
        self.is_alone = single and not plan.handed
        self.plan = plan
        self.shapes = {index: tuple(values[index].shape) for index in plan.dtypes}
        self.read = [(values[index].dtype, self.shapes[index]) for index in plan.read]
        self.runs: BoundedCache[Any, Gradients] = BoundedCache(MOST_CALLS)
        self.last: Gradients = (None, never, never)
        self.launch: Launch = plan.kernel.bind(values)
        self.unrecorded: Launch | None = None

    def plain(self, values: Sequence[Any]) -> Any:
        """Run the kernel, recording no gradients, on inputs of this call's shapes and strides."""
        if self.unrecorded is None and not self._binds(values):
            return _given(self.unfused(*values), self.single)
        return self.unrecorded(*values)  # type: ignore[misc]

    def recorded(self, values: Sequence[Any]) -> Any:
        """Run the kernel as a node of autograd, on inputs of this call's shapes and strides."""
        if self.plan.unreached:
            values = self._detached(values)
        results = _apply(self, *values)
        if self.is_alone or (self.plan.is_plain and not self.single):
            return results
        return results[0] if self.single else tuple([results[n] for n in self.plan.spread])

    def _detached(self, values: Sequence[Any]) -> list[Any]:
        """The inputs, of which those to which no gradients flow are no part of the graph."""
        unreached = self.plan.unreached
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
        are the tensors that the plan keeps, `given` the gradients of its outputs, each of the
        output's shape and dtype. The function gives a gradient of the shape and dtype of each input
        that wants one, else None.
        """
        found = self.runs.get(self.plan.key(needs, kept, given))
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
        tensors = [*kept, *given]
        guard = never if None in given else guard_for(tensors)
        return self.runs.put(self.plan.key(needs, kept, given), (needs, guard, run))

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
        first = len(self.plan.read)
        dtypes = [x.dtype for x in kept[first:]]
        if not all(map(is_plain, present)) or dtypes != self.plan.kept_dtypes:
            return unfused
        is_given = tuple([gradient is not None for gradient in given])
        changed = self._changed(kept)
        if not changed.isdisjoint(self.plan.group(self.wanted(needs), is_given).read):
            return unfused
        values = self.values(kept, numbers)
        for index in changed:
            values[index] = self.shapes[index]
        saved = kept[first : first + len(self.plan.saved)]
        try:
            return self.plan.bind_gradients(values, saved, given, self.wanted(needs))
        except BeingBuilt:
            raise
        except (ShapeMismatch, NoCompiler):
            return unfused

    def _changed(self, kept: Sequence[Tensor]) -> set[int]:
        """Return the kept inputs that have another dtype or shape now.

        `x.data = other`, `x.t_()` and hooks give them others.
        """
        inputs = zip(self.plan.read, self.read, kept, strict=False)
        return {index for index, was, x in inputs if was != (x.dtype, tuple(x.shape))}

    def unfused_gradients(
        self, needs: Sequence[bool], kept: Sequence[Tensor], given: Sequence[Any], numbers: Any
    ) -> Sequence[Tensor | None]:
        """Return the gradients of the node's inputs, computed by torch's operators.

        Each has the shape and dtype of its input; None for the call and where none is wanted.
        Raises what the operators raise.
        """
        pairs = [
            (position, gradient)
            for position, gradient in zip(self.plan.positions, given, strict=True)
            if gradient is not None
        ]
        if not pairs:
            return (None,) * len(needs)
        values = self.values(kept, numbers)
        results = self.plan.results_among(kept)
        found = unfused_gradients(
            self.unfused, values, self.plan.dtypes, pairs, self.wanted(needs), results
        )
        return (None, *found)

    def is_unfused(self, run: Run) -> bool:
        """Whether a run computes gradients by torch's operators."""
        return isinstance(run, UnfusedRun)

    def values(self, kept: Sequence[Tensor], numbers: Sequence[Any]) -> list[Any]:
        """The group's inputs, as far as they were saved; of others, their shapes."""
        plan = self.plan
        values: list[Any] = [None] * len(plan.lowered.graph.inputs)
        for index, shape in self.shapes.items():
            values[index] = shape
        for index, number in zip(plan.numbers, numbers, strict=True):
            values[index] = number
        for index, tensor in zip(plan.read, kept, strict=False):
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


def _function_of(call: Call) -> Launch:
    """Return the call as a function, as all other launches are."""

    def run(*values: Any) -> Any:
        if is_recording():
            return call.recorded(values)
        launch = call.unrecorded
        return call.plain(values) if launch is None else launch(*values)

    return run


class _Fused(torch.autograd.Function):  # type: ignore[misc]
    """The node of a group. Its arguments are a call and the group's inputs."""

    @staticmethod
    def forward(ctx: Any, call: Call, *values: Any) -> Any:
        outputs = call.launch(*values)
        ctx.call = call
        plan = call.plan
        if plan.numbers:
            ctx.numbers = plan.numbers_of(values)
        ctx.set_materialize_grads(False)
        ctx.save_for_backward(*plan.keep(values, outputs))
        if plan.lost:
            ctx.mark_non_differentiable(*[outputs[position] for position in plan.lost])
        return outputs[0] if call.is_alone else plan.results(outputs)

    @staticmethod
    def backward(ctx: Any, *given: Tensor | None) -> Any:
        call: Call | AfterChanges = ctx.call
        plan = call.plan
        numbers = ctx.numbers if plan.numbers else ()
        needs = ctx.needs_input_grad
        if isinstance(call, AfterChanges):
            return call.gradients(ctx, needs, given, numbers)
        try:
            kept = ctx.saved_tensors
        except RuntimeError:
            if not is_checked_by_autograd(ctx):
                raise
            return AfterChanges(call).gradients(ctx, needs, given, numbers)
        if plan.handed:
            given = given[: len(plan.positions)]
        if _is_grad_enabled() or is_transformed():
            return call.unfused_gradients(needs, kept, given, numbers)
        found = call.last
        wanted, guard, run = found
        if wanted == needs and guard(*kept, *given):
            return run(kept, given, numbers)
        call.last = found = call.gradients(needs, kept, given, numbers)
        return found[2](kept, given, numbers)


_apply = super(torch.autograd.Function, _Fused).apply
"""Cheaper than `_Fused.apply`, which looks for `torch.func`'s transforms: `Call` has done so."""
