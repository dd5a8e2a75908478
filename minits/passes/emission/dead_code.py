"""Eliminate dead code, fold constants, and eliminate what is dead then, for emitted graphs.

Before:
    %n : int = aten::add(%two, %three)
    %y : int = aten::mul(%x, %n)
    %z : int = aten::neg(%x)
    return (%y)
After:
    %five : int = prim::Constant[value=5]()
    %y : int = aten::mul(%x, %five)
    return (%y)

These are torch's three passes. But most programs fold an operator or none, and what is dead then is
that operator. So the first pass leaves in the context whether dead code could be found again, and
the last one, which would analyse the aliases of the whole graph anew, has nothing to do.

Source: torch/csrc/jit/frontend/ir_emitter.cpp (`runCleanupPasses`).
"""

from __future__ import annotations

from minits.ir.graph import Graph
from minits.passes import dce
from minits.passes.constant_propagation import Propagation
from minits.passes.context import Context


def eliminate_dead_code(graph: Graph, context: Context) -> bool:
    """Eliminate dead code of an emitted graph. Return whether the graph changed."""
    dead_code = dce.DeadCode(graph)
    dead_code.run()
    context.is_settled = dead_code.is_settled
    return dead_code.changed


def fold_constants(graph: Graph, context: Context) -> bool:
    """Propagate constants of immutable types in an emitted graph. Return whether it changed."""
    propagation = Propagation(graph, joins_zeros=True)
    propagation.run()
    context.is_settled &= propagation.has_only_folded
    if context.is_settled:
        propagation.remove_folded()
    return propagation.changed


def eliminate_dead_code_again(graph: Graph, context: Context) -> bool:
    """Eliminate what folding constants made dead. Return whether the graph changed."""
    return not context.is_settled and dce.eliminate_dead_code(graph)
