"""Kernels, tensors to run them on, and what torch says of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from minits.ir.graph import Graph
from minits.kernels.ir.builder import Builder
from minits.kernels.ir.kernel import Direction, Kernel, Level
from minits.kernels.launch.geometry import Geometry, geometry_of
from minits.kernels.lowering.result import Lowered, Source
from minits.source import SourceRange


@dataclass(frozen=True)
class Sample:
    """A kernel whose inputs are the tensors, and whose parameters are the numbers, in order."""

    name: str
    kernel: Kernel
    tensors: Sequence[Tensor]
    expected: Sequence[Tensor]
    numbers: Sequence[Any] = ()

    @property
    def lowered(self) -> Lowered:
        """The kernel as a group that gets the tensors and the numbers."""
        kernel, count = self.kernel, len(self.tensors)
        sources = [
            Source(
                i, (), given.level, given.level is Level.ROW, tuple(s == 1 for s in tensor.shape)
            )
            for i, (given, tensor) in enumerate(zip(kernel.inputs, self.tensors, strict=True))
        ]
        graph = Graph()
        for _ in range(count + len(self.numbers)):
            graph.add_input()
        rank = max(
            tensor.dim() + (kernel.reduced if given.level is Level.ROW else 0)
            for given, tensor in zip(kernel.inputs, self.tensors, strict=True)
        )
        parameters = list(range(count, count + len(self.numbers)))
        return Lowered(kernel, sources, parameters, list(range(len(kernel.outputs))), graph, rank)

    @property
    def geometry(self) -> Geometry:
        return geometry_of(self.lowered, [*self.tensors, *[None] * len(self.numbers)])


def samples() -> list[Sample]:
    """Return elementwise kernels, and reductions over rows of all lengths."""
    generator = torch.Generator().manual_seed(0)

    def randn(*shape: int, dtype: torch.dtype = torch.float32) -> Tensor:
        return torch.randn(shape, generator=generator).to(dtype)

    found = [
        _fused("contiguous", [randn(7, 13), randn(7, 13)]),
        _fused("broadcast", [randn(5, 3, 33), randn(33)]),
        _fused("broadcast column", [randn(6, 9), randn(6, 1)]),
        _fused("strided", [randn(6, 30)[:, ::3], randn(10, 6).t()]),
        _fused("sliced", [randn(9, 20)[:, 3:], randn(9, 17)]),
        _fused("vectors", [randn(4, 64), randn(4, 64)]),
        _fused("misaligned", [randn(257)[1:], randn(256)]),
        _fused("scalar", [randn(), randn()]),
        _fused("empty", [randn(0, 4), randn(0, 4)]),
        _mixed_dtypes(randn(5, 21, dtype=torch.float16), randn(5, 21, dtype=torch.bfloat16)),
        _integers(),
    ]
    for columns in (1, 5, 64, 300, 1000, 9000, 40000, 120_000):
        found.append(_centred(f"centred {columns}", randn(3, columns), randn(columns)))
    for dtype in (torch.float16, torch.bfloat16, torch.float64):
        found.append(_centred(f"centred {dtype}", randn(4, 37, dtype=dtype), randn(37).to(dtype)))
    for columns in (3, 40, 700):
        found.append(_places(f"places {columns}", randn(5, columns)))
        found.append(_counts(f"counts {columns}", randn(2, 3, columns)))
        found.append(_chosen(f"chosen {columns}", randn(4, columns)))
    found.append(_places("places of NaN", torch.tensor([[1.0, float("nan"), 3, float("nan")]])))
    for columns in (7, 64, 200, 3000):
        found.append(
            _softmax(f"softmax {columns}", randn(2, 3, 4, columns), randn(2, 1, 1, columns))
        )
        found.append(_layer_norm(f"layer norm {columns}", randn(5, columns), randn(columns)))
    for dtype in (torch.float16, torch.bfloat16):
        x, mask = randn(2, 3, 4, 24).to(dtype), randn(2, 1, 1, 24).to(dtype)
        found.append(_softmax(f"softmax {dtype}", x, mask))
    for rows, columns in ((20, 1), (20, 6), (20, 40), (20, 700), (3, 5000)):
        found.append(_scanned(f"scanned {columns}", randn(rows, columns)))
    found.append(_scanned("scanned f64", randn(3, 70, dtype=torch.float64)))
    for dtype in (torch.float16, torch.bfloat16):
        found.append(_scanned(f"scanned {dtype}", randn(2, 3, 37).to(dtype)))
    found.append(_several_dims(randn(2, 4, 6, 5)))
    found.append(_of_rows(randn(7)))
    found.append(_places("places split", randn(2, 40000)))
    found.append(_counts("counts split", randn(1, 2, 40000) / 100))
    found.append(_chosen("chosen split", randn(4, 40000)))
    return found


def _builder(reduced: int = 0) -> Builder:
    k = Builder(reduced)
    k.range = SourceRange.at("model.py", 12, 4)
    return k


def _fused(name: str, tensors: list[Tensor]) -> Sample:
    """(a * b - p) + a"""
    k = _builder()
    a, b = (k.load(k.input(tensor.dtype)) for tensor in tensors)
    p = k.cast(k.parameter(torch.float64), torch.float32)
    k.output(k("add", k("sub", k("mul", a, b), p), a))
    x, y = tensors
    return Sample(name, k.finish(), tensors, [x * y - 0.75 + x], [0.75])


def _mixed_dtypes(half: Tensor, brain: Tensor) -> Sample:
    """Each operation on halves is rounded; flags are bytes."""
    flags = torch.rand(half.shape) < 0.5
    k = _builder()
    a, b, c = (k.load(k.input(tensor.dtype)) for tensor in (half, brain, flags))
    doubled = k("mul", k("add", a, a), a)
    k.output(doubled)
    k.output(k("mul", b, k("neg", b)))
    k.output(k("add", k.cast(doubled, torch.float64), k.cast(c, torch.float64)))
    k.output(k.cast(k.cast(b, torch.int32), torch.bool))
    expected = [(half + half) * half, brain * -brain]
    expected += [expected[0].double() + flags, brain.int().bool()]
    return Sample("mixed dtypes", k.finish(), [half, brain, flags], expected)


def _integers() -> Sample:
    dtypes = [torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8]
    tensors = [torch.randint(0, 100, (3, 11)).to(dtype) for dtype in dtypes]
    k = _builder()
    p = k.parameter(torch.int64)
    expected = []
    for tensor in tensors:
        a = k.load(k.input(tensor.dtype))
        k.output(k("sub", k("mul", a, a), k.constant(7, tensor.dtype)))
        k.output(k("add", k.cast(a, torch.int64), p))
        expected += [tensor * tensor - 7, tensor.long() + (1 << 40)]
    return Sample("integers", k.finish(), tensors, expected, [1 << 40])


def _centred(name: str, x: Tensor, bias: Tensor) -> Sample:
    """Three walks: the maximum, a sum of squares of what is below it, their product."""
    k = _builder(1)
    a, b = k.load(k.input(x.dtype)), k.load(k.input(bias.dtype))
    top = k.reduce("max", k("add", a, b))
    below = k("sub", k("add", a, b), top)
    wide = torch.float64 if x.dtype == torch.float64 else torch.float32
    total = k.reduce("sum", k("mul", k.cast(below, wide), k.cast(below, wide)))
    k.output(k("mul", k.cast(below, wide), total))
    k.output(k.cast(total, x.dtype))
    k.output(top, keepdim=True)
    under = (x + bias) - (x + bias).amax(-1, keepdim=True)
    squares = (under.to(wide) ** 2).sum(-1)
    expected = [under.to(wide) * squares[..., None], squares.to(x.dtype)]
    return Sample(name, k.finish(), [x, bias], [*expected, (x + bias).amax(-1, keepdim=True)])


def _places(name: str, x: Tensor) -> Sample:
    x = x.clone()
    x[:, -1] = x[:, 0]  # a tie: the first one wins
    k = _builder(1)
    a = k.load(k.input(x.dtype))
    for op in ("argmax", "argmin", "max", "min"):
        k.output(k.reduce(op, a))
    expected = [x.argmax(-1), x.argmin(-1), x.amax(-1), x.amin(-1)]
    return Sample(name, k.finish(), [x], expected)


def _counts(name: str, x: Tensor) -> Sample:
    """Reductions of booleans and integers; a ROW input; how many there are."""
    flags, whole = x > 0.5, (x * 3).to(torch.int64)
    scale = torch.arange(6.0)[: x[..., 0].numel()].reshape(x.shape[:-1])
    k = _builder(1)
    a, b = k.load(k.input(torch.bool)), k.load(k.input(torch.int64))
    row = k.load(k.input(torch.float32, Level.ROW))
    k.output(k.reduce("any", a))
    k.output(k.reduce("all", a))
    total = k.reduce("sum", b)
    k.output(total)
    k.output(k.reduce("prod", k.cast(a, torch.int64)))
    mean = k("mul", k.cast(total, torch.float32), k("mul", row, k.count(torch.float32)))
    k.output(mean)
    if x.shape[-1] < 1000:
        k.output(k("sub", k.cast(b, torch.float32), mean))
    mean_ = whole.sum(-1).float() * (scale * x.shape[-1])
    expected = [flags.any(-1), flags.all(-1), whole.sum(-1), flags.long().prod(-1), mean_]
    expected += [whole.float() - mean_[..., None]] if x.shape[-1] < 1000 else []
    return Sample(name, k.finish(), [flags, whole, scale], expected)


def _scanned(name: str, x: Tensor) -> Sample:
    """Scans in both directions, of floats and integers, of a scan and what comes between."""
    whole = (x * 3).long()
    k = _builder(1)
    a, b = k.load(k.input(x.dtype)), k.load(k.input(torch.int64))
    twice = k("add", a, a)
    sums = k.scan("cumsum", twice)
    k.output(sums)
    k.output(k("mul", k.scan("cumsum", sums, Direction.BACKWARD), k.reduce("max", sums)))
    k.output(k.scan("cumprod", k("div", a, k.constant(8.0, x.dtype)), Direction.BACKWARD))
    k.output(k.scan("logcumsumexp", a))
    k.output(k.scan("cummax", b, Direction.BACKWARD))
    k.output(k.scan("cummin", twice))
    k.output(k("add", k.scan("cumsum", b), k.reduce("sum", b)))

    total = (x + x).cumsum(-1)
    back = total.flip(-1).cumsum(-1).flip(-1)
    expected = [total, back * total.amax(-1, keepdim=True)]
    expected += [(x / 8).flip(-1).cumprod(-1).flip(-1), x.logcumsumexp(-1)]
    expected += [whole.flip(-1).cummax(-1).values.flip(-1), (x + x).cummin(-1).values]
    expected += [whole.cumsum(-1) + whole.sum(-1, keepdim=True)]
    return Sample(name, k.finish(), [x, whole], expected)


def _softmax(name: str, x: Tensor, mask: Tensor) -> Sample:
    """Scaled, masked and normalised over rows; the halves are computed in float32."""
    k = _builder(1)
    a, b = (k.cast(k.load(k.input(tensor.dtype)), torch.float32) for tensor in (x, mask))
    scaled = k("add", k("div", a, k.cast(k.parameter(torch.float64), torch.float32)), b)
    e = k("exp", k("sub", scaled, k.reduce("max", scaled)))
    k.output(k.cast(k("div", e, k.reduce("sum", e)), x.dtype))
    expected = [torch.softmax(x.float() / 8 + mask.float(), -1).to(x.dtype)]
    return Sample(name, k.finish(), [x, mask], expected, [8.0])


def _layer_norm(name: str, x: Tensor, weight: Tensor) -> Sample:
    """Two reductions, one after the other, and a weight for each column."""
    k = _builder(1)
    a, w = k.load(k.input(x.dtype)), k.load(k.input(weight.dtype))
    count = k.count(torch.float32)
    below = k("sub", a, k("div", k.reduce("sum", a), count))
    variance = k("div", k.reduce("sum", k("mul", below, below)), count)
    scale = k("rsqrt", k("add", variance, k.constant(1e-5, torch.float32)))
    k.output(k("mul", k("mul", below, scale), w))
    expected = [torch.nn.functional.layer_norm(x, [x.shape[-1]], weight)]
    return Sample(name, k.finish(), [x, weight], expected)


def _of_rows(x: Tensor) -> Sample:
    """Nothing is reduced, and nothing differs along rows: a gradient of a sum is so."""
    k = _builder(1)
    a = k.load(k.input(x.dtype, Level.ROW))
    k.output(k("mul", a, k.constant(3.0, x.dtype)))
    return Sample("of rows", k.finish(), [x], [x * 3])


def _chosen(name: str, x: Tensor) -> Sample:
    """The element of each row whose index is given; for each element, how far it is from that."""
    which = torch.tensor([0, 2, x.shape[1] - 1, 1])
    k = _builder(1)
    a, b = k.load(k.input(x.dtype)), k.load(k.input(torch.int64, Level.ROW))
    kept = k("where", k("eq", k.index(), b), a, k.constant(0.0, x.dtype))
    chosen = k.reduce("sum", kept)
    k.output(chosen)
    columns = torch.arange(x.shape[1])
    picked = x.gather(1, which[:, None])
    expected = [picked[:, 0]]
    if x.shape[1] < 1000:
        k.output(k("sub", k.index(), b))
        k.output(k("sub", k("mul", a, k.cast(k.index(), x.dtype)), chosen))
        expected += [columns - which[:, None], x * columns - picked]
    return Sample(name, k.finish(), [x, which], expected)


def _several_dims(x: Tensor) -> Sample:
    """Two dimensions are reduced over, and not merged: the weight is broadcast along one."""
    weight = torch.arange(24.0).reshape(4, 6, 1)[:, :, :].expand(4, 6, 5)[:1, :, :]
    k = _builder(2)
    a, b = k.load(k.input(x.dtype)), k.load(k.input(weight.dtype))
    product = k("mul", a, b)
    k.output(k.reduce("sum", product))
    k.output(k.reduce("argmax", product))
    k.output(k("sub", product, k.reduce("max", product)))
    k.output(k("sub", k.cast(k.index(), x.dtype), product))
    value = x * weight
    flat = value.flatten(2)
    expected = [value.sum((-1, -2)), flat.argmax(-1), value - value.amax((-1, -2), keepdim=True)]
    expected += [torch.arange(30.0).reshape(6, 5) - value]
    return Sample("several dimensions", k.finish(), [x, weight], expected)
