"""Branches and loops have the elements of tuples, and give what they gave."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from minits.ir.graph import Block, Graph
from minits.ir.verifier import verify
from minits.passes.pipeline import run_pipeline
from minits.runtime.interpreter import run
from minits.types import types as t
from tests.support.from_torch import graph_from_torch

SOURCE = """
def chosen(n: int, x: float) -> Tuple[int, float]:
    if n > 0:
        pair = (n, x)
    else:
        pair = (0, 0.5)
    return pair

def carried(n: int, x: float) -> Tuple[Tuple[int, float], int]:
    pair = ((n, x), 1)
    for i in range(3):
        (a, b), c = pair
        if b > 1.0:
            pair = ((a + i, b), c * 2)
        else:
            pair = ((a, b + 1.0), c)
    return pair

def left_early(n: int, x: float) -> Tuple[int, float]:
    for i in range(n):
        if i > 2:
            return i, x
        x = x * 2.0
    return n, x

def given(n: int, x: Tuple[int, float]) -> Tuple[int, float]:
    pair = x
    for i in range(n):
        pair = (pair[0] + i, pair[1] / 2.0)
    return pair
"""
CALLS = [
    ("chosen", (1, 2.0)), ("chosen", (0, 2.0)), ("carried", (5, 0.25)), ("left_early", (2, 1.0)),
    ("left_early", (9, 1.0)), ("given", (0, (1, 2.0))), ("given", (3, (1, 2.0))),
]  # fmt: skip


def tuples_of_blocks(block: Block) -> int:
    """Return how many branches and loops have a tuple among what they give."""
    return sum(
        any(isinstance(output.type, t.TupleType) for output in node.outputs)
        + sum(map(tuples_of_blocks, node.blocks))
        for node in block.nodes
        if node.blocks
    )


def graph_of(name: str) -> Graph:
    return graph_from_torch(getattr(torch.jit.CompilationUnit(SOURCE), name).graph)


@pytest.mark.parametrize(("name", "values"), CALLS)
def test_it_gives_the_same(name: str, values: tuple[Any, ...]) -> None:
    graph = graph_of(name)
    assert tuples_of_blocks(graph.block)
    expected = run(graph, *values)
    assert run_pipeline(graph, ("lower-all-tuples", "lower-simple-tuples", "dce"))
    verify(graph)
    assert tuples_of_blocks(graph.block) == 0
    assert run(graph, *values) == expected
    assert not run_pipeline(graph, "lower-all-tuples")
