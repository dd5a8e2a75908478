"""Loops over elements of tensors made at random: C and torch.jit agree on them."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest
import torch

import minits
from minits.native.modes import loops_in
from tests.support import random_programs
from tests.support.native_loops import outcome
from tests.support.needs import need_compiler

need_compiler()

PARAMETERS = "x: Tensor, y: Tensor, k: Tensor, p: Tensor, n: int, a: int, b: int, r: float"
RESULT = "x, y, k, p, a, b, r"


class Maker(random_programs.Maker):
    """Makes the source of a loop over elements of x[:], y[:, :], k[:] (ints) and p[:] (bools).

    One loop in three writes to no tensor, and carries elements instead.
    """

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.carries = seed % 3 == 0

    def source(self) -> str:
        body = [f"        {line}" for line in self.block(2, 0)]
        start = ["    u = x[0]", "    v = y[0, 1]"] if self.carries else []
        head = [f"def f({PARAMETERS}):", *start, "    for i in range(n):"]
        result = f"{RESULT}, float(u), v * 2" if self.carries else RESULT
        return "\n".join([*head, *body, f"    return {result}", ""])

    def numbers(self) -> str:
        return self.random.choice(("3", "x.size(0)", "1, len(k)", "y.shape[1] - 1, -1, -1"))

    def counting(self, counter: str) -> str:
        other = "u = v" if self.carries else f"x[{counter}] = {self.element()}"
        return self.random.choice((f"a = {counter}", other))

    def assignment(self) -> str:
        real, at = self.element(), self.index()
        if self.carries:
            return self.random.choice((
                f"u = {real}", f"v = {self.element(0)}", "u, v = v, u", f"u = torch.max(u, {real})",
                f"v = u if {self.condition()} else {real}", f"u = u * 0.5 + {self.real()}",
                f"a = {self.integer()}", f"b = {self.integer()}", f"r = float({real})",
            ))  # fmt: skip
        return self.random.choice((
            f"x[{at}] = {real}", f"x[{at}] = {self.real()}", f"y[{at}, {self.index()}] = {real}",
            f"y[:, {at}][{self.index()}] = {self.real()}", f"k[{at}] = {self.integer()}",
            f"k[{at}] = k[{self.index()}] * 3 - a", f"p[{at}] = {self.condition()}",
            f"p[{at}] = {real} > {real}", f"x[{at}] += {real}", f"y[{at}][1] -= {self.real()}",
            f"k[{at}] *= {self.integer()}", f"x[{at}] /= 4", f"a = {self.integer()}",
            f"b = {self.integer()}", f"r = {self.real()}", f"r = float({real})",
            f"r = float({real}) + float({real}.item())",
        ))  # fmt: skip

    def index(self) -> str:
        return self.random.choice(("0", "1", "-1", "-2", "i % 3", "a % 3", "b % 3 - 1", "i"))

    def element(self, depth: int = 2) -> str:
        """Return a tensor without dimensions, of float32."""
        pick = self.random.random()
        if self.carries and pick < 0.15:
            return self.random.choice("uv")
        if depth == 0 or pick < 0.4:
            return self.random.choice((
                f"x[{self.index()}]", f"y[{self.index()}, {self.index()}]",
                f"y[{self.index()}][{self.index()}]",
            ))  # fmt: skip
        one, other = self.element(depth - 1), self.element(depth - 1)
        return self.random.choice((
            f"({one} + {other})", f"({one} - {other})", f"({one} * {other})", f"({one} / {other})",
            f"torch.minimum({one}, {other})", f"torch.max({one}, {other})", f"{one}.abs()",
            f"({one} * {self.real(depth - 1)})", f"(2 - {one})", f"(-{one})", f"{one}.neg()",
        ))  # fmt: skip

    def real(self, depth: int = 1) -> str:
        if depth <= 0:
            return self.random.choice(("r", "0.5", "-1e30", "float(a)"))
        element = self.element(depth - 1)
        return self.random.choice((
            f"float({element})", f"float({element}.item())", f"(r * float({element}))",
            f"float(k[{self.index()}])", f"float({element}.item() * r)",
        ))  # fmt: skip

    def integer(self) -> str:
        return self.random.choice((
            "a", "b", "3", f"int(k[{self.index()}])", "x.size(0)",
            f"int(k[{self.index()}].item() - a)",
            f"(a + int(k[{self.index()}]))", f"int(x[{self.index()}])", "y.shape[1]", "(b - 1)",
        ))  # fmt: skip

    def condition(self) -> str:
        return self.random.choice((
            f"bool({self.element()} > {self.element()})", f"float({self.element()}) < r",
            f"bool(p[{self.index()}])", f"int(k[{self.index()}]) >= a", "a < b",
            f"bool(k[{self.index()}] == {self.integer()})", f"bool({self.element()} <= 0.5)",
        ))  # fmt: skip


def arguments() -> list[tuple[Any, ...]]:
    torch.manual_seed(0)
    k, p = torch.tensor([3, -1, 7]), torch.tensor([True, False, True])
    return [
        (torch.randn(3), torch.randn(3, 3), k, p, 3, 2, 5, 0.25),
        (torch.randn(6)[::2], torch.randn(3, 4).t(), k.flip(0), p, 4, -1, 0, -2.0),
    ]


@pytest.mark.one_in(40)
@pytest.mark.parametrize("seed", range(40))
def test_agrees(seed: int, monkeypatch: Any) -> None:
    monkeypatch.setenv("MINITS_NATIVE", "now")
    source = Maker(seed).source()
    function, theirs = minits.CompilationUnit(source).f, torch.jit.CompilationUnit(source).f
    for values in arguments():
        for _ in range(2):
            assert outcome(function, values) == outcome(theirs, values), source
        assert loops_in(function.plan_for(*deepcopy(values)).run), source


OTHER_DTYPES = [
    (torch.float64, torch.float32, torch.int64),
    (torch.float32, torch.float64, torch.bool),
    (torch.int64, torch.float32, torch.int64),
    (torch.float64, torch.bool, torch.int32),
    (torch.bool, torch.int64, torch.bool),
]
"""Of x, y and k."""


@pytest.mark.one_in(12)
@pytest.mark.usefixtures("mostly_cheap_builds")
@pytest.mark.parametrize("seed", range(40, 52))
def test_agrees_on_other_dtypes(seed: int, monkeypatch: Any) -> None:
    monkeypatch.setenv("MINITS_NATIVE", "now")
    source = Maker(seed).source()
    function, theirs = minits.CompilationUnit(source).f, torch.jit.CompilationUnit(source).f
    for dtypes in OTHER_DTYPES:
        tensors = zip(arguments()[0][:3], dtypes, strict=True)
        values = (*[3 * x.to(dtype) for x, dtype in tensors], *arguments()[0][3:])
        wanted = outcome(theirs, values)
        if wanted == "raises" and "item()" in source and torch.bool in dtypes:
            continue  # torch.jit has no float of a bool that item() gives, by a fault of its own
        for _ in range(2):
            assert outcome(function, values) == wanted, (dtypes, source)
