"""A group that computes the gradients of another group, from its inputs and those of its outputs.

    group      (x, scale, bias) -> (y)
    backward   (x, scale, bias, gradient of y) -> (gradient of x [B, N], gradient of bias [B, N])

What is an output's gradient itself is not computed, as that of `bias` in `x * scale + bias`. The
kernel's inputs are those that the gradient reads. Where these do not tell the domain's sizes,
the forward kernel's inputs are among them for their shapes alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import torch
from torch import Tensor

from minits.ir.graph import Graph
from minits.kernels.cpu.cpu_kernel import ColumnSum
from minits.kernels.fused_kernel import FusedKernel
from minits.kernels.gradients.gradient import Backward, backward
from minits.kernels.gradients.input_gradients import (
    Shape,
    Shapes,
    bind_input_gradient,
    shapes_of,
    summed_shape,
)
from minits.kernels.gradients.partial_sums import partial_sums
from minits.kernels.ir.kernel import Kernel, KernelOutput, Level, Scalar, live_values
from minits.kernels.lowering.result import Lowered, Source, View

Run = Callable[[Sequence[Tensor], Sequence[Any], Sequence[Any]], tuple[Tensor | None, ...]]


class BackwardGroup:
    """Computes the gradients of a group's inputs.

    `saved` are values of the forward kernel that are handed over, each as a tensor, or as what one
    of the `views` sees of it. `read` are the group's inputs whose elements are needed. Raises
    NotDifferentiable where `backward` does.
    """

    def __init__(
        self,
        forward: Lowered,
        wanted: Sequence[bool],
        given: Sequence[bool],
        saved: Sequence[Scalar] = (),
        views: Mapping[Scalar, View] | None = None,
    ) -> None:
        self.forward = forward
        self.backward = backward(forward.kernel, wanted, given, saved)
        read = _loaded(self.backward.kernel.values)
        self.read = sorted({forward.sources[i].index for i in read if i < len(forward.sources)})
        first = len(forward.sources) + len(saved)
        self._given = {
            number: self.backward.gradients[output.value.payload - first]
            for number, output in enumerate(self.backward.kernel.outputs)
            if output.value.op == "load" and output.value.payload >= first
        }
        """Outputs that are gradients which are given: of which output of the forward kernel."""
        count = len(self.backward.kernel.outputs)
        sources = sources_of_gradient(forward, self.backward, saved, views or {})
        ones = _ones_of_domain(forward, forward.sources)
        self._partial = partial_sums(forward, self.backward, sources, ones)
        apart = {*self._given, *(self._partial.outputs if self._partial else ())}
        self._computed = [number for number in range(count) if number not in apart]
        handed = self._partial.handed if self._partial else []
        self.kernel: FusedKernel | None = None
        if self._computed or handed:
            outputs = [self.backward.kernel.outputs[number] for number in self._computed]
            outputs += map(KernelOutput, handed)
            self.kernel = FusedKernel(lower_backward(forward, self.backward, outputs, sources))
        self._summing = FusedKernel(self._partial.lowered) if self._partial else None
        self._parts = self._parts_of_inputs()

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

    # ---- Calls ---------------------------------------------------------------------------------

    def bind(
        self,
        values: Sequence[Any],
        saved: Sequence[Tensor],
        given: Sequence[Tensor | None],
        names: Sequence[str],
    ) -> Run:
        """Return a function that computes the gradients for exactly these shapes and strides.

        `values` are the group's inputs, but for tensors that are not in `read` only their shapes;
        then come the saved values and the gradient of each output of the forward kernel. `names`
        say where a call finds each of these: they are expressions of `kept`, `given` and `numbers`.
        The result has None where there is no gradient, and one None more in front.

        Raises ShapeMismatch and NoCompiler.
        """
        forward = self.forward.given(values)
        shapes = shapes_of(forward, values)
        like, stand_in = next(
            (gradient, name)
            for gradient, name in zip(given, names[len(names) - len(given) :], strict=True)
            if gradient is not None
        )
        namespace: dict[str, Any] = {}
        lines = []
        sums: dict[int, Shape] = {}
        every, passed = self._arguments([*values, *saved], given, names, stand_in, like)
        handed = self._partial.handed if self._partial else []
        if self.kernel is not None:
            namespace["launch"], made = self.kernel.bind_summing(every, self._sums(shapes))
            sums = {self._computed[sum.output]: sum.shape for sum in made}
            results = "".join(f"o{number}, " for number in self._computed)
            results += "".join(f"h{number}, " for number in range(len(handed)))
            results += "".join(f"s{number}, " for number in sums)
            lines.append(f"{results}= launch({', '.join(passed)})")
        if self._partial is not None and self._summing is not None:
            rows = shapes.domain[: len(shapes.domain) - forward.reduced]
            every += [like.new_empty(rows, dtype=value.dtype) for value in handed]
            passed += [f"h{number}" for number in range(len(handed))]
            namespace["launch_sums"] = self._summing.bind(every)
            results = "".join(f"o{number}, " for number in self._partial.outputs)
            lines.append(f"{results}= launch_sums({', '.join(passed)})")
        for number, output in self._given.items():
            name = names[len(names) - len(given) + output]
            lines.append(f"o{number} = {self._as_output(output, name, namespace)}")
        results = ""
        for index, value in enumerate(values):
            shape = self._summed_shape(index, shapes)
            output = self._parts[index][0][1] if shape is not None else -1
            if shape is not None and sums.get(output) == shape:
                results += f", s{output}"
            else:
                results += ", " + self._result(forward, index, value, shapes, like, namespace)
        lines.append(f"return None{results}")
        text = "\n    ".join(["def run(kept, given, numbers):", *lines])
        exec(compile(text, "<gradients>", "exec"), namespace)
        run: Run = namespace["run"]
        return run

    def _sums(self, shapes: Shapes) -> list[ColumnSum]:
        """Column sums that the kernel may make; an output that nothing else needs is not kept."""
        wanted: dict[int, Shape] = {}
        others: set[int] = set()
        for index, parts in self._parts.items():
            shape = self._summed_shape(index, shapes)
            output = parts[0][1] if parts else -1
            if shape is not None and wanted.setdefault(output, shape) == shape:
                continue
            others.update(output for _, output in parts)
        return [
            ColumnSum(self._computed.index(output), shape, output in others)
            for output, shape in wanted.items()
            if output in self._computed
        ]

    def _summed_shape(self, index: int, shapes: Shapes) -> Shape | None:
        """The shape of an input whose gradient is one output of the kernel, summed; else None."""
        parts = self._parts.get(index, ())
        if len(parts) != 1:
            return None
        level = self.backward.kernel.outputs[parts[0][1]].value.level
        return summed_shape(parts[0][0], level, self.forward, shapes)

    def _arguments(
        self,
        values: Sequence[Any],
        given: Sequence[Tensor | None],
        names: Sequence[str],
        stand_in: str,
        like: Tensor,
    ) -> tuple[list[Any], list[str]]:
        """Return the values that the kernel is bound for, and the names that calls pass to it.

        Inputs that are not saved are bound as tensors of their shape; nobody reads these, so that
        any tensor will do afterwards.
        """
        tensors = {source.index for source in self.forward.sources}
        bound, passed = [], []
        for index, value in enumerate(values):
            is_shape = index in tensors and not isinstance(value, Tensor)
            bound.append(like.new_empty(()).expand(value) if is_shape else value)
            passed.append(stand_in if is_shape else names[index])
        for output in self.backward.gradients:
            bound.append(given[output])
            passed.append(names[len(values) + output])
        return bound, passed

    def _as_output(self, output: int, name: str, namespace: dict[str, Any]) -> str:
        """The gradient of an output, in the shape of a backward kernel's output."""
        made = self.forward.kernel.outputs[output]
        view = self.forward.part_view(output)
        if view is not None:
            namespace[f"part{output}"] = view
            name = f"part{output}({name})"
        if made.value.level is Level.FULL or made.keepdim:
            return name
        return f"{name}.reshape({name}.shape + {(1,) * self.forward.reduced})"

    def _result(
        self,
        forward: Lowered,
        index: int,
        value: Any,
        shapes: Shapes,
        like: Tensor,
        namespace: dict[str, Any],
    ) -> str:
        """An expression of a group input's gradient."""
        if index not in self._parts:
            return "None"
        shape = tuple(value.shape) if isinstance(value, Tensor) else tuple(value)
        parts = self._parts[index]
        if not parts:
            namespace[f"finish{index}"] = self._zero(index, shape, like.device)
            return f"finish{index}()"
        outputs = self.backward.kernel.outputs
        summed = self._partial.outputs if self._partial else ()
        levels = [None if output in summed else outputs[output].value.level for _, output in parts]
        finish = bind_input_gradient(
            [number for number, _ in parts], levels, forward, shapes, shape
        )
        if finish is None:
            return f"o{parts[0][1]}"
        namespace[f"finish{index}"] = finish
        return f"finish{index}({', '.join([f'o{output}' for _, output in parts])})"

    def _zero(self, index: int, shape: Shape, device: torch.device) -> Callable[[], Tensor]:
        number = next(i for i, source in enumerate(self.forward.sources) if source.index == index)
        dtype = self.forward.kernel.inputs[number].dtype
        return lambda: torch.zeros(shape, dtype=dtype, device=device)


# ---- Lowering ------------------------------------------------------------------------------------


def sources_of_gradient(
    forward: Lowered, gradient: Backward, saved: Sequence[Scalar], views: Mapping[Scalar, View]
) -> list[Source]:
    """Return the sources of the gradient's kernel.

    They are those of the forward group, then saved values, some seen through `views`, and the
    gradients of outputs.
    """
    outputs_of = [forward.kernel.outputs[number] for number in gradient.gradients]
    further = [*map(KernelOutput, saved), *outputs_of]
    seen = [*map(views.get, saved), *map(forward.part_view, gradient.gradients)]
    return [*forward.sources, *_sources_of_outputs(forward, further, seen)]


def lower_backward(
    forward: Lowered,
    gradient: Backward,
    outputs: Sequence[KernelOutput],
    sources: Sequence[Source],
) -> Lowered:
    """Return the gradient's kernel as a group, with these outputs of it and its `sources`."""
    values = list(live_values([output.value for output in outputs]))
    kept = _loaded(values)
    if not _tell_domain(forward, [sources[index] for index in kept]):
        kept = sorted({*kept, *range(len(forward.sources))})
    graph = Graph()
    for value in forward.graph.inputs:
        graph.add_input(type=value.type)
    for _ in sources[len(forward.sources) :]:
        graph.add_input()
    kernel = _rebuilt(gradient.kernel, kept, values, outputs)
    parts = [sources[index] for index in kept]
    tensors = list(range(len(outputs)))
    name = f"backward of {forward.label}"
    return Lowered(kernel, parts, forward.parameters, tensors, graph, forward.rank, name=name)


def _sources_of_outputs(
    forward: Lowered, outputs: Sequence[KernelOutput], views: Sequence[View | None]
) -> list[Source]:
    """Further inputs of the group, which seen so have the shapes that such outputs of it have."""
    domain = _ones_of_domain(forward, forward.sources)
    rows = domain[: len(domain) - forward.reduced]
    found = []
    first = len(forward.graph.inputs)
    for index, (output, view) in enumerate(zip(outputs, views, strict=True), first):
        seen = () if view is None else (view,)
        is_row = output.value.level is Level.ROW
        ones = rows + (True,) * forward.reduced if is_row and output.keepdim else domain
        if is_row and not output.keepdim:
            found.append(Source(index, seen, Level.ROW, True, rows))
        else:
            found.append(Source(index, seen, output.value.level, False, ones))
    return found


def _ones_of_domain(forward: Lowered, sources: Iterable[Source]) -> tuple[bool, ...]:
    """Return the dimensions that are of size one in the shape that the sources broadcast to."""
    ones = [True] * forward.rank
    for source in sources:
        mine = source.ones + (True,) * forward.reduced if source.row_aligned else source.ones
        for dim, one in enumerate(mine, start=forward.rank - len(mine)):
            ones[dim] = ones[dim] and one
    return tuple(ones)


def _tell_domain(forward: Lowered, sources: Sequence[Source]) -> bool:
    return _ones_of_domain(forward, sources) == _ones_of_domain(forward, forward.sources)


def _loaded(values: Iterable[Scalar]) -> list[int]:
    return sorted({value.input for value in values if value.input is not None})


def _rebuilt(
    kernel: Kernel, kept: Sequence[int], values: Sequence[Scalar], outputs: Sequence[KernelOutput]
) -> Kernel:
    """A part of a kernel, with the inputs `kept` only."""
    copies: dict[Scalar, Scalar] = {}
    for value in values:
        payload = value.payload
        if value.input is not None:
            index = kept.index(value.input)
            payload = index if value.is_read else (index, *payload[1:])
        operands = tuple([copies[operand] for operand in value.operands])
        copies[value] = Scalar(value.op, operands, value.dtype, value.level, payload, value.range)
    return Kernel(
        kernel.reduced,
        [kernel.inputs[index] for index in kept],
        list(kernel.parameters),
        list(copies.values()),
        [KernelOutput(copies[output.value], output.keepdim) for output in outputs],
    )
