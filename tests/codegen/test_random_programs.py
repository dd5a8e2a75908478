"""Generated Python against the interpreter, on programs made at random.

The programs assign a few int variables in nested branches and loops: what they test is which values
share a Python variable, the order of expressions and where integers are wrapped.
"""

from __future__ import annotations

import pytest
import torch

from minits.codegen.python import compile_graph, python_source
from minits.runtime.interpreter import run
from tests.support import random_programs
from tests.support.from_torch import graph_from_torch

NAMES = ("a", "b", "c", "d")


class Maker(random_programs.Maker):
    """Makes the source of one program, of integers and a list."""

    def source(self) -> str:
        body = self.block(4, 1)
        parameters = ", ".join(f"{name}: int" for name in NAMES)
        result = f"    return {', '.join(NAMES)}, xs"
        head = f"def f({parameters}, xs: List[int]):"
        return "\n".join([head, *body, result, ""])

    def counting(self, counter: str) -> str:
        return f"{self.name()} = {self.name()} + {counter}"

    def assignment(self) -> str:
        pick = self.random.random()
        if pick < 0.15:
            return f"{self.name()}, {self.name()} = {self.name()}, {self.expression()}"
        if pick < 0.25:
            return f"xs.append({self.expression()})"
        if pick < 0.32:
            return f"{self.name()} = xs.pop() + len(xs) * {self.name()}"
        if pick < 0.36:
            return f"xs[0] = xs[-1] + {self.expression()}"
        return f"{self.name()} = {self.expression()}"

    def expression(self) -> str:
        pick = self.random.random()
        if pick < 0.25:
            return self.name()
        if pick < 0.35:
            return str(self.random.choice((0, 1, -1, 3, 7, 2**62)))
        if pick < 0.4:
            return f"({self.name()} if {self.condition()} else {self.expression()})"
        if pick < 0.45:
            return "len(xs)"
        if pick < 0.55:
            return f"({self.name()} {self.random.choice(('%', '//'))} 5)"
        operator = self.random.choice(("+", "-", "*"))
        return f"({self.expression()} {operator} {self.name()})"

    def condition(self) -> str:
        test = f"{self.name()} {self.random.choice(('<', '==', '!=', '>='))} {self.expression()}"
        return test if self.random.random() < 0.7 else f"({test} and {self.name()} != 2)"

    def name(self) -> str:
        return self.random.choice(NAMES)


ARGUMENTS = [(0, 1, 2, 3), (-1, 5, 2**62, 7), (2**63 - 1, -(2**63), 2, 2)]


@pytest.mark.one_in(10)
@pytest.mark.parametrize("seed", range(150))
def test_agrees(seed: int) -> None:
    source = Maker(seed).source()
    graph = graph_from_torch(torch.jit.CompilationUnit(source).f.graph)
    function = compile_graph(graph, "f")
    for arguments in ARGUMENTS:
        found, expected = [], []
        for outcome, way in ((found, function), (expected, lambda *a: run(graph, *a))):
            values = list(range(5))
            try:
                outcome.append(way(*arguments, values))
            except (IndexError, ZeroDivisionError):
                outcome.append("raises")
            outcome.append(values)
        assert found == expected, f"{source}\n\n{python_source(graph)}"
