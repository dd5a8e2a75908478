"""Gradients of tensors that are the same along some of the reduced dimensions: sums along these.

    group norm       domain [N, G, K, S], reduced over the last two; weight [G, K, 1]
    gradient         a kernel for that of x [N, G, K, S], which also gives mean and scale [N, G]
    partial sums     a kernel reduced over the last one alone: that of weight, [N, G, K, 1]

The gradient's kernel itself cannot sum over a part of what it reduces, and would write a tensor of
the domain's shape to be summed later. The second kernel reads what the first one has reduced.
"""

from __future__ import annotations

from collections.abc import Sequence

from minits.ir.graph import Graph
from minits.kernels.gradients.gradient import Backward
from minits.kernels.ir.kernel import Kernel, KernelInput, KernelOutput, Level, Scalar
from minits.kernels.lowering.result import Lowered, Source, View
from minits.records import dataclass, replace


@dataclass(frozen=True, slots=True)
class PartialSums:
    """A second kernel for some outputs of a gradient's kernel.

    `outputs` are the numbers of these outputs. The last inputs of the second kernel, `handed`, are
    values of the gradient's kernel.
    """

    outputs: list[int]
    handed: list[Scalar]
    lowered: Lowered


class _NoSums(Exception):
    """The values cannot be computed by a kernel that reduces less."""


def partial_sums(
    forward: Lowered, gradient: Backward, sources: Sequence[Source], ones: Sequence[bool]
) -> PartialSums | None:
    """Return the second kernel, if there is something for it.

    `sources` are those of the gradient's inputs, `ones` the domain's dimensions of size one.
    """
    found: dict[int, int] = {}
    for output in {number for number in gradient.outputs if number is not None}:
        value = gradient.kernel.outputs[output].value
        users = [
            source
            for source, number in zip(forward.sources, gradient.outputs, strict=True)
            if number == output
        ]
        lengths = {_length(source, forward.reduced) for source in users}
        if len(lengths) == 1 and value.level is Level.FULL and value.op != "load":
            found[output] = lengths.pop()
    length = max(found.values(), default=0)
    if not length or all(ones[len(ones) - length :]):
        return None
    outputs = sorted(output for output, mine in found.items() if mine == length)
    try:
        return _Second(forward, gradient, sources, tuple(ones), length).made(outputs)
    except _NoSums:
        return None


def _length(source: Source, reduced: int) -> int:
    """Along how many of the last dimensions a source is the same, if not along all reduced ones."""
    if source.row_aligned or source.level is Level.ROW:
        return 0
    length = 0
    while length < len(source.ones) and source.ones[len(source.ones) - 1 - length]:
        length += 1
    return length if length < min(reduced, len(source.ones)) else 0


class _Second:
    """Makes the second kernel, which reduces over the last `length` dimensions."""

    def __init__(
        self,
        forward: Lowered,
        gradient: Backward,
        sources: Sequence[Source],
        ones: tuple[bool, ...],
        length: int,
    ) -> None:
        self.forward = forward
        self.gradient = gradient
        self.given = sources
        self.ones = ones
        self.length = length
        self.sources: list[Source] = []
        self.handed: list[Scalar] = []
        self.kernel = Kernel(length, parameters=list(gradient.kernel.parameters))
        self.copies: dict[Scalar, Scalar] = {}

    def made(self, outputs: list[int]) -> PartialSums:
        """Return the sums for these outputs. Raises _NoSums."""
        for output in outputs:
            self._sum(self.gradient.kernel.outputs[output].value)
        if not any(source.ones == self.ones for source in self.sources):
            raise _NoSums  # nothing tells the domain's sizes
        graph = Graph()
        for value in self.forward.graph.inputs:
            graph.add_input(type=value.type)
        for _ in range(len(self.given) - len(self.forward.sources) + len(self.handed)):
            graph.add_input()
        lowered = Lowered(
            self.kernel, self.sources, self.forward.parameters, list(range(len(outputs))), graph,
            self.forward.rank,
        )  # fmt: skip
        return PartialSums(outputs, self.handed, lowered)

    def _sum(self, value: Scalar) -> None:
        """Add an output: the sum along the row, rounded once."""
        is_rounded = value.op == "cast" and value.operands[0].dtype.is_floating_point
        total = self._make("sum", (self._copy(value.operands[0] if is_rounded else value),))
        if total.dtype != value.dtype:
            total = self._make("cast", (total,), value)
        self.kernel.outputs.append(KernelOutput(total, keepdim=True))

    def _make(self, op: str, operands: tuple[Scalar, ...], like: Scalar | None = None) -> Scalar:
        dtype = (like or operands[0]).dtype
        made = Scalar(op, operands, dtype, Level.ROW, None, operands[0].range)
        self.kernel.values.append(made)
        return made

    def _copy(self, value: Scalar) -> Scalar:
        if value not in self.copies:
            self.copies[value] = self._copied(value)
            self.kernel.values.append(self.copies[value])
        return self.copies[value]

    def _copied(self, value: Scalar) -> Scalar:
        if value.op == "load":
            return self._load(value, self._source(self.given[value.payload]))
        if value.op in ("index", "position", "look_up", "length"):
            raise _NoSums  # they are of what the first kernel reduces over
        if value.level is Level.ROW and value.op not in ("constant", "parameter"):
            return self._load(value, self._handed(value))
        operands = tuple([self._copy(operand) for operand in value.operands])
        level = max([operand.level for operand in operands], default=Level.ROW)
        return Scalar(value.op, operands, value.dtype, level, value.payload, value.range)

    def _load(self, value: Scalar, source: Source) -> Scalar:
        self.sources.append(source)
        self.kernel.inputs.append(KernelInput(value.dtype, source.level))
        index = len(self.sources) - 1
        return Scalar("load", (), value.dtype, source.level, index, value.range)

    def _source(self, source: Source) -> Source:
        """The source of a tensor for a kernel that has more rows."""
        if source.row_aligned:
            return self._stretched(source)
        is_row = all(source.ones[max(len(source.ones) - self.length, 0) :])
        return replace(source, level=Level.ROW if is_row else Level.FULL)

    def _handed(self, value: Scalar) -> Source:
        self.handed.append(value)
        further = len(self.given) - len(self.forward.sources) + len(self.handed)
        index = len(self.forward.graph.inputs) + further - 1
        rows = self.ones[: self.forward.rank - self.forward.reduced]
        return self._stretched(Source(index, (), Level.ROW, True, rows))

    def _stretched(self, source: Source) -> Source:
        """A tensor of the first kernel's rows, which is the same for all that are in one."""
        more = self.forward.reduced - self.length
        first = len(source.ones)
        views = tuple([View("aten::unsqueeze", (first + dim,)) for dim in range(more)])
        ones = source.ones + (True,) * more
        return replace(source, views=source.views + views, ones=ones, also=())
