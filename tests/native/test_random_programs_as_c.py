"""Programs of numbers made at random: C, the interpreter and torch.jit agree on them."""

from __future__ import annotations

from typing import Any

import pytest
import torch

import minits
from minits.kernels.cpu.c_build import NoCompiler, compiler
from minits.native.function import NativeFunction
from minits.runtime.interpreter import run
from tests.support import random_programs
from tests.support.agreement import comparable

try:
    compiler()
except NoCompiler as _reason:
    pytest.skip(str(_reason), allow_module_level=True)

INTS, FLOATS, BOOLS = ("a", "b", "c"), ("x", "y"), ("p", "q")
HELPERS = """\
def quotient(a: int, b: int) -> int:
    if b == 7 or b == -1:  # the least integer by -1 ends the process of torch
        raise ValueError("not by {}: {}".format(b, a))
    return a // b

def nearest(x: float, y: float) -> float:
    return x if abs(x - 1.0) < abs(y - 1.0) else y

"""
PARAMETERS = "a: int, b: int, c: int, x: float, y: float, p: bool, q: bool"
RESULTS = {
    "int": ("a", "a + b", "(a ^ b) - c"),
    "float": ("x", "x * y", "x if p else y"),
    "bool": ("p", "p and q", "a < b or x > y"),
    "Tuple[int, float, bool]": ("a, x, p", "b ^ c, y, q", "0, 0.5, True"),
    "Tuple[Tuple[int, bool], Tuple[float, int]]": ("(a, p), (x, b)", "(c, a < b), (y, 3)"),
    "Tuple[int, int, int, float, float, bool, bool]": ("a, b, c, x, y, p, q",),
}
ARGUMENTS: list[tuple[Any, ...]] = [
    (0, 1, 2, 0.5, -1.5, True, False),
    (-1, 5, 2**62, 1e300, 0.0, False, False),
    (2**63 - 1, -(2**63), 7, float("inf"), -0.0, True, True),
]


class Maker(random_programs.Maker):
    """Makes the source of one program of numbers."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.type = self.random.choice([*RESULTS])

    def source(self) -> str:
        lines = [*self.block(3, 1), f"    return {self.result()}", ""]
        return HELPERS + "\n".join([f"def f({PARAMETERS}) -> {self.type}:", *lines])

    def result(self) -> str:
        return self.random.choice(RESULTS[self.type])

    def statement(self, depth: int) -> list[str]:
        if depth and self.is_likely(0.05):
            return [f"if {self.condition()}:", f"    {self.leaving()}"]
        return super().statement(depth)

    def numbers(self) -> str:
        most = self.random.randint(0, 4)
        return self.random.choice((f"{most}", f"1, {most}", f"{most}, -2, -1", "0, 9, 4"))

    def counting(self, counter: str) -> str:
        return f"a += {counter}"

    def jump(self) -> str:
        return self.random.choice((super().jump(), super().jump(), self.leaving()))

    def leaving(self) -> str:
        if self.is_likely(0.7):
            return f"return {self.result()}"
        return self.random.choice(
            ("raise RuntimeError('left')", "raise ValueError('{} and {}'.format(a, x))")
        )

    def assignment(self) -> str:
        pick = self.random.random()
        if pick < 0.1:
            return f"{self.int_name()}, b = {self.int_name()}, {self.integer()}"
        if pick < 0.55:
            return f"{self.int_name()} = {self.integer()}"
        if pick < 0.85:
            return f"{self.random.choice(FLOATS)} = {self.real()}"
        return f"{self.random.choice(BOOLS)} = {self.condition()}"

    def integer(self) -> str:
        pick = self.random.random()
        if pick < 0.25:
            return self.int_name()
        if pick < 0.4:
            return str(self.random.choice((0, 1, -1, 3, 7, 2**31, 2**62, -(2**63) + 1)))
        if pick < 0.47:
            return f"({self.integer()} if {self.condition()} else {self.integer()})"
        if pick < 0.52:
            return f"quotient({self.int_name()}, {self.integer()})"
        if pick < 0.56:
            return f"int({self.real()})"
        if pick < 0.6:
            return f"{self.random.choice(('min', 'max'))}({self.integer()}, {self.int_name()})"
        if pick < 0.7:
            return f"({self.int_name()} {self.random.choice(('%', '//'))} 5)"
        operator = self.random.choice(("+", "-", "*", "&", "|", "^", "<<", ">>"))
        return f"({self.integer()} {operator} {self.int_name()})"

    def real(self) -> str:
        pick = self.random.random()
        if pick < 0.3:
            return self.random.choice(FLOATS)
        if pick < 0.4:
            return str(self.random.choice((0.0, 1.0, -0.5, 3.25, 1e18)))
        if pick < 0.47:
            return f"({self.real()} if {self.condition()} else {self.real()})"
        if pick < 0.55:
            return f"float({self.integer()})"
        if pick < 0.6:
            return f"nearest({self.real()}, {self.random.choice(FLOATS)})"
        if pick < 0.65:
            return f"({self.real()} {self.random.choice(('%', '//'))} 2.5)"
        if pick < 0.7:
            return f"({self.random.choice(FLOATS)} ** {self.random.choice((2, -1, 0.5))})"
        return f"({self.real()} {self.random.choice('+-*/')} {self.random.choice(FLOATS)})"

    def condition(self) -> str:
        pick = self.random.random()
        if pick < 0.15:
            return self.random.choice(BOOLS)
        if pick < 0.25:
            return f"not {self.random.choice(BOOLS)}"
        if pick < 0.4:
            word = self.random.choice(("and", "or"))
            return f"({self.condition()} {word} {self.condition()})"
        if pick < 0.6:  # torch takes x != x for false, and NaN has it true
            comparison = self.random.choice(("<", "<=", ">=", ">"))
            return f"{self.random.choice(FLOATS)} {comparison} {self.real()}"
        comparison = self.random.choice(("<", "<=", "==", "!=", ">=", ">"))
        return f"{self.int_name()} {comparison} {self.integer()}"

    def int_name(self) -> str:
        return self.random.choice(INTS)


def outcome(function: Any, arguments: tuple[Any, ...]) -> Any:
    try:
        return comparable(function(*arguments))
    except RuntimeError as error:
        return type(error).__name__, str(error)


@pytest.mark.parametrize("seed", range(40))
def test_agrees(seed: int) -> None:
    source = Maker(seed).source()
    graph = minits.CompilationUnit(source).f.graph_after(["optimize"])
    native = NativeFunction(graph, "f")
    theirs = torch.jit.CompilationUnit(source).f
    for arguments in ARGUMENTS:
        found = outcome(native, arguments)
        assert found == outcome(lambda *values: run(graph, *values), arguments), source
        try:
            expected = comparable(theirs(*arguments))
        except (RuntimeError, torch.jit.Error):
            assert isinstance(found[0], str) and found[0] != "tuple", source
        else:
            assert found == expected, source
