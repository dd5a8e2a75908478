"""Faults of torch.jit that random programs run into, and how a program is known to have one.

Each is reproduced in minits, and only for the comparison: where the graphs are equal then, it is
that fault by which they differ, and the program says nothing of minits.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

from conformance.fuzz.language.programs import Program
from conformance.minits_implementation import Minits
from conformance.observation import Observation
from conformance.observe import observe
from minits.ir import points_to
from minits.ir.graph import Node
from minits.ir.points_to import PointsTo


def loses_writes_after_loops(program: Program, expected: Observation) -> bool:
    """Whether torch.jit's graph lacks a write to what a loop has returned without running.

    Its alias analysis takes a loop's results for those of the body alone. The value that goes into
    the loop, and comes out where the body does not run, is forgotten; a write to the result seems
    to be seen by nobody, and is removed as dead code.
    Source: torch/csrc/jit/ir/alias_memory.cpp (`AliasDb::analyzeLoop`).
    """
    with _results_of_the_body_alone():
        found = observe(program, Minits())
    return [*found.graphs.values()] == [*expected.graphs.values()]


@contextmanager
def _results_of_the_body_alone() -> Iterator[None]:
    def visit_loop(memory: PointsTo, node: Node) -> None:
        body = node.blocks[0]
        for value, inner in zip(node.inputs[2:], body.inputs[1:], strict=True):
            memory._point(inner, value)
        memory._visit(body)
        for value, inner, output in zip(
            body.outputs[1:], body.inputs[1:], node.outputs, strict=True
        ):
            memory._point(inner, value)
            memory._point(output, value)

    with patch.dict(points_to.VISITS, {"prim::Loop": visit_loop}):
        yield
