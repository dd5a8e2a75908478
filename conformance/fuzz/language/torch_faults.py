"""Faults of torch.jit that random programs run into, and how a program is known to have one.

Each is reproduced in minits, and only for the comparison: where the graphs are equal then, it is
that fault by which they differ, and the program says nothing of minits.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

import minits
from conformance.fuzz.language.programs import Program
from conformance.fuzz.language.ways import Interpreter
from conformance.minits_implementation import Minits
from conformance.observation import Observation
from conformance.observe import observe
from minits.ir import points_to
from minits.ir.copying import clone_graph
from minits.ir.graph import Node
from minits.ir.points_to import PointsTo
from minits.ops.implementations import TABLE
from minits.passes.inlining import inline_calls
from minits.passes.joined_types import joins_fit


def loses_writes_after_loops(program: Program, expected: Observation) -> bool:
    """Whether torch.jit's graph lacks a write to what a loop has returned without running.

    Its alias analysis takes a loop's results for those of the body alone. The value that goes into
    the loop, and comes out where the body does not run, is forgotten; a write to the result seems
    to be seen by nobody, and is removed as dead code.
    Source: torch/csrc/jit/ir/alias_memory.cpp (`AliasDb::analyzeLoop`).
    """
    with results_of_the_body_alone():
        found = observe(program, Minits())
    return [*found.graphs.values()] == [*expected.graphs.values()]


def adds_a_list_to_itself(program: Program) -> bool:
    """Whether a list is added to itself in place: of what is inserted, torch.jit leaves nothing.

    It inserts the elements of a list while they move to larger memory.
    Source: torch/csrc/jit/runtime/register_prim_ops.cpp (`aten::add_.t`).
    """
    met = []
    add = TABLE["aten::add_.t"]

    def watched(values: list[Any], added: list[Any]) -> Any:
        met.append(values is added)
        return add(values, added)

    with patch.dict(TABLE, {"aten::add_.t": watched}):
        observe(program, Interpreter())
    return any(met)


def forgets_what_branches_leave(program: Program) -> bool:
    """Whether a branch of a loop leaves a variable as it is, and torch.jit takes it for narrower.

    It types what the branch gives by what the variable was before the loop, `NoneType` for one, and
    its optimisations then take the value for None.
    Source: torch/csrc/jit/frontend/convert_to_ssa.cpp (`ControlFlowLoadStores`).
    """
    graph = clone_graph(minits.script(program.load().make()).graph)
    inline_calls(graph)
    return not joins_fit(graph)


@contextmanager
def results_of_the_body_alone() -> Iterator[None]:
    """Let minits leave out such writes, too, while the block compiles or loads."""

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
