"""Gradients of a kernel of any order, made from what was kept of a call.

    y = gelu(x + bias)           kept: t = x + bias
    x.mul_(2)                    the operators cannot compute y again: x is another
    grad(y, x, g, create_graph=True)

The gradient is a kernel of t and g, and the gradient of this one is a kernel, too. So they are
functions of autograd here, which `evaluate` works out with numpy: that is slow, but these are rare.
Gradients by t go on to x through the node of the group, of which t is a further output.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import torch
from torch import Tensor

from minits.kernels.gradients.gradient import backward
from minits.kernels.gradients.input_gradients import shapes_of
from minits.kernels.gradients.unfused_gradients import alias
from minits.kernels.ir.evaluate import evaluate
from minits.kernels.ir.kernel import Kernel, Level, Scalar
from minits.kernels.lowering.result import Lowered
from minits.records import dataclass
from minits.types.tensor_meta import is_plain

Shape = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Space:
    """The space of an evaluation: the numbers of the call, and the sizes of the domain."""

    parameters: tuple[Any, ...]
    domain: Shape

    def outer(self, kernel: Kernel) -> Shape:
        """Return the sizes that are not reduced over."""
        return self.domain[: len(self.domain) - kernel.reduced]


def gradients_of_group(
    lowered: Lowered,
    values: Sequence[Any],
    wanted: Collection[int],
    saved: Sequence[tuple[Scalar, Tensor]],
    given: Sequence[Tensor | None],
) -> list[Tensor | None]:
    """Return a gradient for each group input, None for those that are not wanted or have none.

    A gradient has the shape and dtype of its input. `values` are the group's inputs; of tensors
    that may not be read, their shapes. `saved` are values of the kernel that were kept, and `given`
    the gradients of the kernel's outputs, by their positions, in the shape of the tensors that they
    are parts of. Raises NotDifferentiable.
    """
    like = next(gradient for gradient in given if gradient is not None)
    keeps_graph = torch.is_grad_enabled()
    lowered = lowered.given(values)
    shapes = shapes_of(lowered, values)
    inputs = {
        source.index: alias(values[source.index], read.dtype, keeps_graph, like.device)
        for source, read in zip(lowered.sources, lowered.kernel.inputs, strict=True)
    }
    with torch.enable_grad():
        seen = [
            source.rows(source.view(inputs[source.index]), lowered.reduced)
            for source in lowered.sources
        ]
    space = Space(tuple([values[index] for index in lowered.parameters]), shapes.domain)
    needs = [source.index in wanted for source in lowered.sources]
    parts = [_part(lowered, number, gradient) for number, gradient in enumerate(given)]
    found = _gradients(lowered.kernel, needs, saved, seen, parts, space)
    reached = [number for number, gradient in enumerate(found) if gradient is not None]
    indices = sorted({lowered.sources[number].index for number in reached})
    results: list[Tensor | None] = [None] * len(values)
    if indices:
        through_views = torch.autograd.grad(
            [seen[number] for number in reached],
            [inputs[index] for index in indices],
            [found[number] for number in reached],
            create_graph=keeps_graph,
        )
        for index, gradient in zip(indices, through_views, strict=True):
            results[index] = gradient
    return results


def _part(lowered: Lowered, output: int, gradient: Tensor | None) -> Tensor | None:
    """Return the gradient of an output of the kernel, given that of the tensor it is part of."""
    if gradient is None:
        return None
    plain = gradient if is_plain(gradient) else gradient.clone()
    view = lowered.part_view(output)
    return plain if view is None else view(plain)


def _gradients(
    kernel: Kernel,
    wanted: Sequence[bool],
    saved: Sequence[tuple[Scalar, Tensor]],
    inputs: Sequence[Tensor],
    given: Sequence[Tensor | None],
    space: Space,
) -> list[Tensor | None]:
    """Return a gradient for each input of a kernel, of its shape; None where there is none."""
    is_given = [gradient is not None for gradient in given]
    found = backward(kernel, wanted, is_given, [value for value, _ in saved])
    read = {value.input for value in found.kernel.values}
    kept = [  # no gradients flow to what was saved for other outputs: it may have been changed
        tensor if number in read else tensor.detach()
        for number, (_, tensor) in enumerate(saved, len(inputs))
    ]
    handed = kept + [given[output] for output in found.gradients]
    shaped = [
        _loaded(each, loaded.level, kernel, space)
        for each, loaded in zip(handed, found.kernel.inputs[len(inputs) :], strict=True)
    ]
    made = _Evaluated.apply(found.kernel, space, *inputs, *shaped)
    results: list[Tensor | None] = []
    for number, x in enumerate(inputs):
        output = found.outputs[number]
        if output is not None:
            level = kernel.inputs[number].level
            results.append(_of_input(made[output], level, x, kernel, space))
        else:
            results.append(torch.zeros_like(x) if found.reached[number] else None)
    return results


def _loaded(tensor: Any, level: Level, kernel: Kernel, space: Space) -> Tensor:
    """Return the elements that a kernel loads: of a ROW value, without the reduced dimensions."""
    shape = space.domain if level is Level.FULL else space.outer(kernel)
    loaded: Tensor = tensor.reshape(shape)
    return loaded


def _of_input(gradient: Tensor, level: Level, x: Tensor, kernel: Kernel, space: Space) -> Tensor:
    """Return the gradient of an input, summed over what it was broadcast along."""
    if level is Level.FULL:
        return gradient.expand(space.domain).sum_to_size(x.shape)
    return gradient.reshape(space.outer(kernel)).sum_to_size(x.shape)


class _Evaluated(torch.autograd.Function):  # type: ignore[misc]
    """A kernel. Its arguments are the kernel, the space and the kernel's inputs."""

    @staticmethod
    def forward(ctx: Any, kernel: Kernel, space: Space, *inputs: Tensor) -> Any:
        ctx.kernel, ctx.space = kernel, space
        ctx.set_materialize_grads(False)
        needs = ctx.needs_input_grad[2:]
        is_kept = _depending(kernel, needs)
        found = evaluate(kernel, inputs, space.parameters, space.domain)
        outputs = [
            torch.as_tensor(each).to(inputs[0].device, output.value.dtype)
            for each, output in zip(found, kernel.outputs, strict=True)
        ]
        ctx.mark_non_differentiable(
            *[each for each, kept in zip(outputs, is_kept, strict=True) if not kept]
        )
        read = {value.input for value in backward(kernel, needs, is_kept).kernel.values}
        ctx.inputs = [(x.shape, x.dtype, x.device) for x in inputs]
        ctx.save_for_backward(*[x if index in read else None for index, x in enumerate(inputs)])
        return tuple(outputs)

    @staticmethod
    def backward(ctx: Any, *given: Tensor | None) -> Any:
        needs = ctx.needs_input_grad[2:]
        if all(gradient is None for gradient in given):
            return (None,) * (2 + len(needs))
        inputs = [
            torch.zeros((), dtype=dtype, device=device).expand(shape) if x is None else x
            for x, (shape, dtype, device) in zip(ctx.saved_tensors, ctx.inputs, strict=True)
        ]
        found = _gradients(ctx.kernel, needs, (), inputs, given, ctx.space)
        return (
            None,
            None,
            *[
                torch.zeros_like(x) if gradient is None and need else gradient
                for gradient, need, x in zip(found, needs, inputs, strict=True)
            ],
        )


def _depending(kernel: Kernel, needs: Sequence[bool]) -> list[bool]:
    """Return for each output whether inputs that need gradients reach it, if by a comparison.

    Gradients of these are zero; most of eager's formulas give zeros as well.
    """
    found: set[Scalar] = set()
    for value in kernel.values:
        is_read = value.is_read and needs[value.payload]
        if is_read or any(operand in found for operand in value.operands):
            found.add(value)
    return [x.value in found and x.value.dtype.is_floating_point for x in kernel.outputs]
