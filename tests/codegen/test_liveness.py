"""Extents of values against the question that they answer for many pairs at once."""

from __future__ import annotations

from itertools import permutations, product

import pytest

import minits
from minits.codegen.liveness import Liveness

PROGRAMS = {
    "branches": """
def f(x: int, y: int):
    if x > 1:
        x = x + y
    if y > 2:
        y = x
    elif y > 1:
        x = y * 2
    else:
        x, y = y, x
    return x - y
""",
    "loops": """
def f(x: int, y: int):
    total = 0
    for i in range(x):
        total, y = y, total + i
        for j in range(y):
            if j > total:
                total = total + x
                break
        x = total
    while x > 0:
        x = x - y
    return total + x
""",
    "returns": """
def f(x: int, y: int):
    if x == 1:
        return x + y
    while y > 0:
        if y == x:
            return y
        y = y - x
    if y == 2:
        y = y * x
        return y - x
    return x
""",
}


@pytest.mark.parametrize("text", PROGRAMS.values(), ids=PROGRAMS)
def test_values_with_nothing_in_common_do_not_interfere(text: str) -> None:
    graph = minits.CompilationUnit(text).f.graph
    liveness = Liveness(graph)
    values = [value for node in graph.all_nodes() for value in node.outputs]
    values += [v for n in graph.all_nodes() for block in n.blocks for v in block.inputs]
    apart = 0
    for one, other in permutations([*graph.inputs, *values], 2):
        pairs = product(liveness.extents(one), liveness.extents(other))
        if all(last <= begin or end <= first for (first, last), (begin, end) in pairs):
            apart += 1
            assert not liveness.interfere(one, other), (one, other)
    assert apart > len(values)
