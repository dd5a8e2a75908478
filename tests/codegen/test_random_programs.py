"""Generated Python against the interpreter, on programs made at random.

The programs assign a few int variables in nested branches and loops: what they test is which values
share a Python variable, the order of expressions and where integers are wrapped.
"""

from __future__ import annotations

import random

import pytest
import torch

from minits.codegen.python import compile_graph, python_source
from minits.runtime.interpreter import run
from tests.support.from_torch import graph_from_torch

NAMES = ("a", "b", "c", "d")


class Maker:
    """Makes the source of one program."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.loops = 0

    def source(self) -> str:
        body = self.block(4, 1)
        parameters = ", ".join(f"{name}: int" for name in NAMES)
        result = f"    return {', '.join(NAMES)}, xs"
        head = f"def f({parameters}, xs: List[int]):"
        return "\n".join([head, *body, result, ""])

    def block(self, depth: int, indent: int) -> list[str]:
        lines = []
        for _ in range(self.random.randint(1, 4)):
            lines += ["    " * indent + line for line in self.statement(depth)]
        return lines

    def statement(self, depth: int) -> list[str]:
        pick = self.random.random()
        if depth == 0 or pick < 0.5:
            return [self.assignment()]
        if pick < 0.75:
            lines = [f"if {self.condition()}:", *self.block(depth - 1, 1)]
            if self.random.random() < 0.6:
                lines += ["else:", *self.block(depth - 1, 1)]
            return lines
        self.loops += 1
        counter = f"i{self.loops}"
        if pick < 0.9:
            head = [f"for {counter} in range({self.random.randint(0, 4)}):"]
            return [*head, f"    {self.name()} = {self.name()} + {counter}", *self.loop_body(depth)]
        return [
            f"{counter} = 0",
            f"while {counter} < {self.random.randint(0, 4)} and {self.condition()}:",
            f"    {counter} += 1",
            *self.loop_body(depth),
        ]

    def loop_body(self, depth: int) -> list[str]:
        lines = self.block(depth - 1, 1)
        if self.random.random() < 0.3:
            word = self.random.choice(("break", "continue"))
            lines += [f"    if {self.condition()}:", f"        {word}", *self.block(0, 1)]
        return lines

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
