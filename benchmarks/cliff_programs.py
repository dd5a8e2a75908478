"""The programs of `python -m benchmarks cliffs`: what compilers are known to be slow at."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn


def affine(x: Tensor, b: Tensor) -> Tensor:
    return torch.relu(x * b) * 2 + 1


def shrinking(x: Tensor) -> Tensor:
    while x.shape[0] > 1:
        x = torch.relu(x[1:]) * 2 - 0.5
    return x


def masked(
    x: Tensor,
    a: Tensor | None = None,
    b: Tensor | None = None,
    c: Tensor | None = None,
    d: Tensor | None = None,
    e: Tensor | None = None,
    f: Tensor | None = None,
    g: Tensor | None = None,
) -> Tensor:
    y = torch.tanh(x) * 2
    if a is not None:
        y = y + a
    if b is not None:
        y = y * b
    if c is not None:
        y = y - c
    if d is not None:
        y = torch.maximum(y, d)
    if e is not None:
        y = torch.minimum(y, e)
    if f is not None:
        y = y + f.exp()
    if g is not None:
        y = y * g.sigmoid()
    return torch.relu(y)


def waves(x: Tensor) -> Tensor:
    return torch.sin(x) * torch.cos(x) + torch.tan(x * 0.5)


def hyperbolic(x: Tensor) -> Tensor:
    return torch.tanh(x) * torch.sigmoid(x) + torch.atan(x)


def remainders(x: Tensor) -> Tensor:
    return torch.fmod(x, 0.7) + torch.remainder(x, 0.3)


def gammas(x: Tensor) -> Tensor:
    return torch.lgamma(x.abs() + 0.5) * 2


def gammas_of_both_signs(x: Tensor) -> Tensor:
    return torch.lgamma(x) * 2


def errors(x: Tensor) -> Tensor:
    return torch.erf(x) * 2


def complementary(x: Tensor) -> Tensor:
    return torch.erfc(x) * 2


def inverse_errors(x: Tensor) -> Tensor:
    return torch.erfinv(x) * 2


def slopes_of_gammas(x: Tensor) -> Tensor:
    return torch.digamma(x) * 2


def scaled_bessel(x: Tensor) -> Tensor:
    return torch.special.i1e(x) * 2


def normal(x: Tensor) -> Tensor:
    return torch.special.ndtr(x) * 2


def log_normal(x: Tensor) -> Tensor:
    return torch.special.log_ndtr(x) * 2


def scaled_errors(x: Tensor) -> Tensor:
    return torch.special.erfcx(x) * 2


def gelus(x: Tensor) -> Tensor:
    return torch.nn.functional.gelu(x) * 2


def powers(x: Tensor) -> Tensor:
    return torch.pow(x.abs(), 1.7) * 2


def powers_of_tensors(x: Tensor) -> Tensor:
    return torch.pow(x, x) + 1


def accumulated(x: Tensor) -> Tensor:
    return torch.cumsum(torch.sigmoid(x * 0.5), -1) * 2 - 1


def summed_only(x: Tensor) -> Tensor:
    return torch.cumsum(x * 0.5, -1)


def halves(x: Tensor) -> Tensor:
    return torch.sigmoid(x * 0.5) * x + torch.tanh(x)


def product(x: Tensor) -> Tensor:
    return (x + 1) * x


def scaled_softmax(x: Tensor) -> Tensor:
    return (x * 2).softmax(-1)


def rectified(x: Tensor) -> Tensor:
    return torch.relu(x * 2) + 1


def exponentials(x: Tensor) -> Tensor:
    return x.exp() * 2


def summed(sizes: list[int]) -> int:
    total = 0
    for size in sizes:
        total += size
    return total


def total_of(tensors: list[Tensor]) -> Tensor:
    return torch.stack(tensors).relu() * 2 + 1


class Pair(NamedTuple):
    left: Tensor
    right: Tensor


def of_pair(pair: Pair) -> Tensor:
    return torch.sigmoid(pair.left * 0.5) * pair.right + torch.tanh(pair.left)


def of_dict(parts: dict[str, Tensor]) -> Tensor:
    left = parts["left"]
    return torch.sigmoid(left * 0.5) * parts["right"] + torch.tanh(left)


def of_made_pair(x: Tensor, y: Tensor) -> Tensor:
    pair = Pair(x * 0.5, y + 1)
    return torch.sigmoid(pair.left) * pair.right + torch.tanh(pair.left)


class Gate(nn.Module):
    """A module whose call is one kernel. Gradients of its parameters are recorded if `trained`."""

    def __init__(self, trained: bool) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.randn(64), requires_grad=trained)
        self.bias = nn.Parameter(torch.randn(64), requires_grad=trained)

    def forward(self, x: Tensor) -> Tensor:
        return torch.relu(x * self.weight + self.bias) * 2


class Row(NamedTuple):
    """A program and the calls of one round, in order."""

    name: str
    program: Callable[..., Any]
    calls: Callable[[int], list[tuple[Any, ...]]]
    """The arguments of the calls of a round, by its number."""


def rows() -> list[Row]:
    """Return all programs that are measured."""
    b = torch.randn(4)
    bits = [tuple(torch.randn(8, 64) if n >> k & 1 else None for k in range(7)) for n in range(128)]
    x = torch.randn(1 << 16)
    double, half, brain = x.double(), x.half(), x.bfloat16()
    shares = torch.rand(1 << 16, dtype=torch.float64) * 2 - 1
    thousand = list(range(1000))
    tensors = [torch.randn(64) for _ in range(1000)]
    pair = Pair(torch.randn(64, 64), torch.randn(64, 64))
    small = torch.randn(8, 64)
    wide = torch.randn(4, 30_000)

    short_programs = {
        "a sum and a product": product, "softmax": scaled_softmax, "relu": rectified,
        "exp": exponentials,
    }  # fmt: skip
    of_halves = [
        Row(f"{kind}, {size} elements: {name}", program,
            lambda _, operand=operand, repeats=repeats: [(operand,)] * repeats)
        for kind, values in [("float16", half), ("bfloat16", brain)]
        for size, repeats in [("4k", 50), ("64k", 5)]
        for operand in [values.view(64, -1) if size == "64k" else values[:4096].view(64, -1)]
        for name, program in short_programs.items()
    ]  # fmt: skip

    def rows_of(counts: Iterable[int]) -> list[tuple[Any, ...]]:
        return [(torch.randn(count, 4), b) for count in counts]

    return [
        Row("300 shapes in turn", affine, lambda _: rows_of(range(2, 302))),
        Row("2,000 shapes in turn", affine, lambda _: rows_of(range(2, 2002))),
        Row("shapes that never repeat", affine,
            lambda turn: rows_of(range(400 * turn, 400 * (turn + 1)))),
        Row("large shapes that never repeat", affine,
            lambda turn: rows_of(range((1 << 16) + 20 * turn, (1 << 16) + 20 * (turn + 1)))),
        Row("middling shapes that never repeat", affine,
            lambda turn: rows_of(range((1 << 13) + 20 * turn, (1 << 13) + 20 * (turn + 1)))),
        Row("slices that never repeat", affine,
            lambda turn: [(wide[:, : 300 * turn + width], b[:1]) for width in range(2, 302)]),
        Row("a loop that shrinks its tensor", shrinking, lambda _: [(torch.randn(150, 4),)] * 3),
        Row("128 patterns of None", masked, lambda _: [(small, *given) for given in bits]),
        Row("float64 sin, cos, tan", waves, lambda _: [(double,)] * 5),
        Row("float64 tanh, sigmoid, atan", hyperbolic, lambda _: [(double,)] * 5),
        Row("float64 fmod, remainder", remainders, lambda _: [(double,)] * 5),
        Row("float64 lgamma", gammas, lambda _: [(double,)] * 5),
        Row("float64 lgamma of both signs", gammas_of_both_signs, lambda _: [(double,)] * 5),
        Row("float32 lgamma", gammas, lambda _: [(x,)] * 5),
        Row("float32 lgamma of both signs", gammas_of_both_signs, lambda _: [(x,)] * 5),
        Row("float64 erf", errors, lambda _: [(double,)] * 5),
        Row("float64 erfc", complementary, lambda _: [(double,)] * 5),
        Row("float64 erfinv", inverse_errors, lambda _: [(shares,)] * 5),
        Row("float32 erfinv", inverse_errors, lambda _: [(shares.float(),)] * 5),
        Row("float64 digamma", slopes_of_gammas, lambda _: [(double,)] * 5),
        Row("float32 digamma", slopes_of_gammas, lambda _: [(x,)] * 5),
        Row("float32 i1e", scaled_bessel, lambda _: [(x,)] * 5),
        Row("float64 ndtr", normal, lambda _: [(double,)] * 5),
        Row("float64 log_ndtr", log_normal, lambda _: [(double,)] * 5),
        Row("float32 log_ndtr", log_normal, lambda _: [(x,)] * 5),
        Row("float64 erfcx", scaled_errors, lambda _: [(double,)] * 5),
        Row("float32 erfcx", scaled_errors, lambda _: [(x,)] * 5),
        Row("float64 gelu", gelus, lambda _: [(double,)] * 5),
        Row("float64 pow by a number", powers, lambda _: [(double,)] * 5),
        Row("float64 pow by a tensor", powers_of_tensors, lambda _: [(double,)] * 5),
        Row("cumsum in a chain", accumulated, lambda _: [(x.view(64, -1),)] * 5),
        Row("cumsum of one long row", accumulated, lambda _: [(x,)] * 5),
        Row("cumsum of short rows", summed_only, lambda _: [(x.view(-1, 32),)] * 5),
        Row("float64 cumsum of short rows", summed_only, lambda _: [(double.view(-1, 32),)] * 5),
        Row("float32 sin, cos, tan", waves, lambda _: [(x,)] * 5),
        Row("float16 sin, cos, tan", waves, lambda _: [(half,)] * 5),
        Row("float16 chain", halves, lambda _: [(half,)] * 5),
        Row("bfloat16 chain", halves, lambda _: [(brain,)] * 5),
        *of_halves,
        Row("List[int] of 1,000", summed, lambda _: [(thousand,)] * 20),
        Row("List[Tensor] of 1,000", total_of, lambda _: [(tensors,)] * 5),
        Row("NamedTuple of tensors", of_pair, lambda _: [(pair,)] * 50),
        Row("Dict of tensors", of_dict, lambda _: [(pair._asdict(),)] * 50),
        Row("NamedTuple made in the program", of_made_pair, lambda _: [tuple(pair)] * 50),
        Row("a module of 64 elements", Gate(trained=False), lambda _: [(x[:64],)] * 200),
        Row("the same, gradients recorded", Gate(trained=True), lambda _: [(x[:64],)] * 200),
    ]  # fmt: skip
