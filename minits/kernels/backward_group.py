"""A group that computes the gradients of another group, from its inputs and those of its outputs.

    group      (x, scale, bias) -> (y)
    backward   (x, scale, bias, gradient of y) -> (gradient of x [B, N], gradient of bias [B, N])

What is an output's gradient itself is not computed, as that of `bias` in `x * scale + bias`. The
kernel's inputs are those that the gradient reads. Where these do not tell the domain's sizes,
the forward kernel's inputs are among them for their shapes alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import torch
from torch import Tensor

from minits.ir.graph import Graph
from minits.kernels.fused import FusedKernel
from minits.kernels.gradient import Backward, backward
from minits.kernels.input_gradients import Shape, Shapes, input_gradient, shapes_of
from minits.kernels.kernel import Kernel, KernelOutput, Level, Scalar, live_values
from minits.kernels.lowering.result import Lowered, Source

MOST_SHAPES = 256
"""Combinations of inputs' shapes that a group keeps."""


class BackwardGroup:
    """Computes the gradients of a group's inputs.

    `read` are the group's inputs whose elements are needed. Raises NotDifferentiable where
    `backward` does.
    """

    def __init__(self, forward: Lowered, wanted: Sequence[bool], given: Sequence[bool]) -> None:
        self.forward = forward
        self.backward = backward(forward.kernel, wanted, given)
        read = _loaded(self.backward.kernel.values)
        self.read = sorted({forward.sources[i].index for i in read if i < len(forward.sources)})
        made = [output.value for output in self.backward.kernel.outputs]
        self._given = {
            number: value.payload - len(forward.sources)
            for number, value in enumerate(made)
            if value.op == "load" and value.payload >= len(forward.sources)
        }
        """Outputs that are gradients which are given."""
        self._computed = [number for number in range(len(made)) if number not in self._given]
        self.kernel: FusedKernel | None = None
        if self._computed:
            self.kernel = FusedKernel(lower_backward(forward, self.backward, self._computed))
        self._parts = self._parts_of_inputs()
        self._tensors = {source.index for source in forward.sources}
        self._shapes: dict[tuple[Shape | None, ...], Shapes] = {}

    def _parts_of_inputs(self) -> dict[int, list[tuple[int, int]]]:
        """For each group input with a gradient: kernel inputs and the outputs for them."""
        found: dict[int, list[tuple[int, int]]] = {}
        for number, source in enumerate(self.forward.sources):
            if self.backward.reached[number]:
                parts = found.setdefault(source.index, [])
                output = self.backward.outputs[number]
                if output is not None:
                    parts.append((number, output))
        return found

    def __call__(
        self, values: Sequence[Any], given: Sequence[Tensor | None]
    ) -> list[Tensor | None]:
        """Return the gradients of the group's inputs, None where there is none.

        `values` are the group's inputs, but for tensors that are not in `read` only their shapes.
        `given` has the gradient of each output of the forward kernel. Raises ShapeMismatch and
        NoCompiler.
        """
        outputs = self._outputs(values, given)
        shapes = self._shapes_of(values)
        results: list[Tensor | None] = [None] * len(values)
        for index, parts in self._parts.items():
            shape = _shape(values[index])
            if parts:
                pairs = [(number, outputs[output]) for number, output in parts]
                results[index] = input_gradient(pairs, self.forward, shapes, shape)
            else:
                results[index] = self._zero(index, shape, given)
        return results

    def _outputs(self, values: Sequence[Any], given: Sequence[Tensor | None]) -> dict[int, Tensor]:
        """Return what the outputs of the gradient's kernel stand for."""
        gradients = [_plain(given[output]) for output in self.backward.gradients]
        outputs = {
            number: self._as_output(place, gradients[place])
            for number, place in self._given.items()
        }
        if self.kernel is not None:
            tensors = [
                self._stand_in(value, gradients[0]) if index in self._tensors else value
                for index, value in enumerate(values)
            ]
            outputs.update(zip(self._computed, self.kernel(*tensors, *gradients), strict=True))
        return outputs

    def _as_output(self, place: int, gradient: Tensor) -> Tensor:
        """The gradient of an output, in the shape of a backward kernel's output."""
        output = self.forward.kernel.outputs[self.backward.gradients[place]]
        if output.value.level is Level.FULL or output.keepdim:
            return gradient
        return gradient.reshape(gradient.shape + (1,) * self.forward.reduced)

    def _stand_in(self, value: Any, like: Tensor) -> Tensor:
        """The tensor, or one of its shape that nobody reads."""
        return value if isinstance(value, Tensor) else like.new_empty(()).expand(value)

    def _zero(self, index: int, shape: Shape, given: Sequence[Tensor | None]) -> Tensor:
        number = next(i for i, source in enumerate(self.forward.sources) if source.index == index)
        dtype = self.forward.kernel.inputs[number].dtype
        device = next(gradient.device for gradient in given if gradient is not None)
        return torch.zeros(shape, dtype=dtype, device=device)

    def _shapes_of(self, values: Sequence[Any]) -> Shapes:
        key = tuple(
            [_shape(value) if i in self._tensors else None for i, value in enumerate(values)]
        )
        found = self._shapes.get(key)
        if found is None:
            if len(self._shapes) >= MOST_SHAPES:
                self._shapes.clear()
            found = self._shapes[key] = shapes_of(self.forward, key)
        return found


def _shape(value: Any) -> Shape:
    return tuple(value.shape) if isinstance(value, Tensor) else tuple(value)


def _plain(gradient: Tensor | None) -> Tensor:
    assert gradient is not None, "a backward kernel reads gradients that are given"
    return gradient.resolve_neg() if gradient.is_neg() else gradient


# ---- Lowering ------------------------------------------------------------------------------------


def lower_backward(forward: Lowered, gradient: Backward, computed: Sequence[int]) -> Lowered:
    """Return some outputs of the gradient's kernel as a group.

    Its inputs are those of the forward group, then the gradients of outputs.
    """
    sources = [*forward.sources, *_gradient_sources(forward, gradient)]
    outputs = [gradient.kernel.outputs[number] for number in computed]
    values = list(live_values([output.value for output in outputs]))
    kept = _loaded(values)
    if not _tell_domain(forward, [sources[index] for index in kept]):
        kept = sorted({*kept, *range(len(forward.sources))})
    graph = Graph()
    for value in forward.graph.inputs:
        graph.add_input(type=value.type)
    for number in gradient.gradients:
        graph.add_input(f"gradient{number}")
    kernel = _rebuilt(gradient.kernel, kept, values, outputs)
    parts = [sources[index] for index in kept]
    places = list(range(len(outputs)))
    return Lowered(kernel, parts, forward.parameters, places, graph, forward.rank)


def _gradient_sources(forward: Lowered, gradient: Backward) -> list[Source]:
    """Where the gradients of outputs come from: further inputs of the group, as they are."""
    domain = _ones_of_domain(forward, forward.sources)
    rows = domain[: len(domain) - forward.reduced]
    found = []
    for place, number in enumerate(gradient.gradients):
        output = forward.kernel.outputs[number]
        index = len(forward.graph.inputs) + place
        is_row = output.value.level is Level.ROW
        ones = rows + (True,) * forward.reduced if is_row and output.keepdim else domain
        if is_row and not output.keepdim:
            found.append(Source(index, (), Level.ROW, True, rows))
        else:
            found.append(Source(index, (), output.value.level, False, ones))
    return found


def _ones_of_domain(forward: Lowered, sources: Iterable[Source]) -> tuple[bool, ...]:
    """Which dimensions are of size one in what the sources broadcast to."""
    ones = [True] * forward.rank
    for source in sources:
        mine = source.ones + (True,) * forward.reduced if source.row_aligned else source.ones
        for dim, one in enumerate(mine, start=forward.rank - len(mine)):
            ones[dim] = ones[dim] and one
    return tuple(ones)


def _tell_domain(forward: Lowered, sources: Sequence[Source]) -> bool:
    return _ones_of_domain(forward, sources) == _ones_of_domain(forward, forward.sources)


def _loaded(values: Iterable[Scalar]) -> list[int]:
    return sorted({value.payload for value in values if value.op == "load"})


def _rebuilt(
    kernel: Kernel, kept: Sequence[int], values: Sequence[Scalar], outputs: Sequence[KernelOutput]
) -> Kernel:
    """A part of a kernel, with the inputs `kept` only."""
    copies: dict[Scalar, Scalar] = {}
    for value in values:
        payload = kept.index(value.payload) if value.op == "load" else value.payload
        operands = tuple([copies[operand] for operand in value.operands])
        copies[value] = Scalar(value.op, operands, value.dtype, value.level, payload, value.range)
    return Kernel(
        kernel.reduced,
        [kernel.inputs[index] for index in kept],
        list(kernel.parameters),
        list(copies.values()),
        [KernelOutput(copies[output.value], output.keepdim) for output in outputs],
    )
