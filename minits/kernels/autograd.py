"""Fused kernels under autograd: a group is one node of the graph, and so is its gradient.

    run = differentiable(FusedKernel(lowered), unfused)
    y, = run(x, bias)                  one kernel
    y.sum().backward()                 one kernel; then bias's gradient is summed to its shape

The gradient's kernel computes what it needs again from the inputs, which are saved for that (only
those that it reads: in eager, too, `x + y` does not mind if x is changed in place later).

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
from torch.autograd import forward_ad

from minits.kernels.backward_group import BackwardGroup
from minits.kernels.c_build import NoCompiler
from minits.kernels.fused import FusedKernel, ShapeMismatch
from minits.kernels.gradient import NotDifferentiable, differentiable_outputs

Unfused = Callable[..., Sequence[Tensor]]
_BATCHED = torch._C._dispatch_key_parse("Batched")
_transform = torch._C._functorch.peek_interpreter_stack
_is_autocasting = torch._C._is_any_autocast_enabled


def is_transformed() -> bool:
    """Whether tensors may be those of `torch.func`'s transforms, or have tangents."""
    return _transform() is not None or forward_ad._current_level >= 0


def _is_batched(gradient: Tensor | None) -> bool:
    """Whether a gradient stands for several, as under `is_grads_batched`."""
    return gradient is not None and torch._C._dispatch_keys(gradient).has(_BATCHED)


def differentiable(kernel: FusedKernel, unfused: Unfused) -> Differentiable:
    """Return what runs the kernel so that gradients flow through it.

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
        self._plans: dict[tuple[bool, ...], Plan | None] = {}

    def __call__(self, *values: Any) -> tuple[Tensor, ...]:
        if is_transformed() or _is_autocasting():
            return tuple(self.unfused(*values))
        if not torch.is_grad_enabled():
            return self.kernel(*values)
        wanted = tuple([values[index].requires_grad for index in self.tensors])
        if True not in wanted:
            return self.kernel(*values)
        if wanted not in self._plans:
            self._plans[wanted] = self._plan(wanted)
        plan = self._plans[wanted]
        if plan is None:
            return tuple(self.unfused(*values))
        return plan(values)

    def _plan(self, wanted: tuple[bool, ...]) -> Plan | None:
        indices = [index for index, wants in zip(self.tensors, wanted, strict=True) if wants]
        try:
            return Plan(self, frozenset(indices))
        except NotDifferentiable as fault:
            self.refusals.append(str(fault))
            return None


class Plan:
    """How calls run in which the group's inputs `wanted` require gradients.

    `positions` are those of the group's outputs that are tensors of their own: a kernel may give
    one tensor for several. `is_kept` tells which of these depend on wanted inputs. `saved` are the
    inputs that the gradient reads. Raises NotDifferentiable.
    """

    def __init__(self, owner: Differentiable, wanted: frozenset[int]) -> None:
        self.kernel, self.unfused, self.tensors = owner.kernel, owner.unfused, owner.tensors
        self.lowered = owner.kernel.lowered
        outputs = self.lowered.outputs
        self.places = list(dict.fromkeys(outputs))
        self.positions = [outputs.index(place) for place in self.places]
        self._spread = [self.places.index(place) for place in outputs]
        inputs = zip(self.lowered.sources, self.lowered.kernel.inputs, strict=True)
        self.dtypes = {source.index: given.dtype for source, given in inputs}
        kept = differentiable_outputs(self.lowered.kernel, self._sources_of(wanted))
        self.is_kept = [kept[place] for place in self.places]
        self._groups: dict[Any, BackwardGroup] = {}
        whole = self.group(wanted, tuple(self.is_kept))
        self.saved = whole.read

    def _sources_of(self, wanted: frozenset[int]) -> list[bool]:
        return [source.index in wanted for source in self.lowered.sources]

    def group(self, wanted: frozenset[int], given: tuple[bool, ...]) -> BackwardGroup:
        """Return what computes gradients of these inputs from those of the outputs `given`."""
        found = self._groups.get((wanted, given))
        if found is None:
            is_given = self._by_place(given, False)
            found = BackwardGroup(self.lowered, self._sources_of(wanted), is_given)
            self._groups[wanted, given] = found
        return found

    def _by_place(self, items: Sequence[Any], missing: Any) -> list[Any]:
        """What belongs to the outputs, in the order of the kernel's outputs."""
        found = [missing] * len(self.lowered.kernel.outputs)
        for place, item in zip(self.places, items, strict=True):
            found[place] = item
        return found

    def __call__(self, values: Sequence[Any]) -> tuple[Tensor, ...]:
        if True not in self.is_kept:
            return self.kernel(*values)
        outputs = _Fused.apply(self, *values)
        if len(self._spread) == len(self.positions):
            return outputs  # type: ignore[no-any-return]
        return tuple([outputs[number] for number in self._spread])

    # ---- Gradients -----------------------------------------------------------------------------

    def gradients(
        self, values: list[Any], given: Sequence[Tensor | None], wanted: frozenset[int]
    ) -> list[Tensor | None]:
        """Return a gradient for each group input, None for those that are not wanted.

        `values` are the group's inputs; of tensors that were not saved, their shapes.
        """
        if torch.is_grad_enabled() or is_transformed() or any(map(_is_batched, given)):
            return self._unfused(values, given, wanted)
        group = self.group(wanted, tuple([gradient is not None for gradient in given]))
        try:
            return group(values, self._by_place(given, None))
        except (ShapeMismatch, NoCompiler):
            return self._unfused(values, given, wanted)

    def _unfused(
        self, values: list[Any], given: Sequence[Tensor | None], wanted: frozenset[int]
    ) -> list[Tensor | None]:
        """Gradients by torch's own operators. They have gradients themselves in grad mode."""
        keeps_graph = torch.is_grad_enabled()
        with torch.enable_grad(), torch._C._DisableAutocast():
            device = next(gradient.device for gradient in given if gradient is not None)
            values = [
                self._alias(index, value, keeps_graph, device) for index, value in enumerate(values)
            ]
            outputs = self.unfused(*values)
        pairs = [
            (outputs[position], gradient)
            for position, gradient in zip(self.positions, given, strict=True)
            if gradient is not None and outputs[position].requires_grad
        ]
        indices = sorted(wanted)
        results: list[Tensor | None] = [None] * len(values)
        if pairs:
            found = torch.autograd.grad(
                [output for output, _ in pairs],
                [values[index] for index in indices],
                [gradient for _, gradient in pairs],
                create_graph=keeps_graph,
                allow_unused=True,
            )
            for index, gradient in zip(indices, found, strict=True):
                results[index] = gradient
        return results

    def _alias(self, index: int, value: Any, keeps_graph: bool, device: torch.device) -> Any:
        """An input to compute the outputs of again, so that gradients stop at it.

        Those that were not saved are zero: no gradient depends on them.
        """
        if index not in self.dtypes:
            return value
        if not isinstance(value, Tensor):
            dtype = self.dtypes[index]
            zero = torch.zeros((), dtype=dtype, device=device).expand(value)
            return zero.requires_grad_(dtype.is_floating_point)
        if keeps_graph and value.requires_grad:
            return value.view_as(value)
        return value.detach().requires_grad_(value.requires_grad)


class _Fused(torch.autograd.Function):  # type: ignore[misc]
    """The node of a group. Its arguments are a plan and the group's inputs."""

    @staticmethod
    def forward(ctx: Any, plan: Plan, *values: Any) -> tuple[Tensor, ...]:
        outputs = plan.kernel(*values)
        outputs = tuple([outputs[position] for position in plan.positions])
        ctx.plan = plan
        ctx.set_materialize_grads(False)
        ctx.save_for_backward(*[values[index] for index in plan.saved])
        ctx.values = [
            value.shape if index in plan.dtypes else value for index, value in enumerate(values)
        ]
        lost = [output for output, kept in zip(outputs, plan.is_kept, strict=True) if not kept]
        ctx.mark_non_differentiable(*lost)
        return outputs

    @staticmethod
    def backward(ctx: Any, *given: Tensor | None) -> tuple[Any, ...]:
        plan: Plan = ctx.plan
        wanted = frozenset([index for index in plan.tensors if ctx.needs_input_grad[1 + index]])
        if all(gradient is None for gradient in given):
            return (None,) * len(ctx.needs_input_grad)
        values = list(ctx.values)
        for index, tensor in zip(plan.saved, ctx.saved_tensors, strict=True):
            values[index] = tensor
        return (None, *plan.gradients(values, given, wanted))
