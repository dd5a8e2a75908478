"""Cleanup passes on a freshly emitted graph, in torch's order.

Source: torch/csrc/jit/frontend/ir_emitter.cpp (`runCleanupPasses`).
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count

from minits.frontend.calls.schema_matching import make_list
from minits.frontend.ssa.forks import lift_forks
from minits.ir.graph import Graph, Node
from minits.passes.canonicalize_outputs import canonicalize_outputs
from minits.passes.constant_pooling import pool_constants
from minits.passes.constant_propagation import propagate_immutable_constants
from minits.passes.dce import eliminate_dead_code
from minits.passes.lower_simple_tuples import lower_simple_tuples
from minits.types import types as t


def run_cleanup(graph: Graph) -> None:
    """Clean a graph in SSA form up."""
    special = [node for node in graph.all_nodes() if node.kind in _SPECIAL]
    _replace_empty_list_literals(special)
    lift_forks([node for node in special if node.kind == "prim::forkClosure"], run_cleanup)
    lower_simple_tuples(graph)
    eliminate_dead_code(graph)
    if propagate_immutable_constants(graph):
        eliminate_dead_code(graph)
    pool_constants(graph)
    canonicalize_outputs(graph)
    _number_warnings(special)


_SPECIAL = frozenset(("prim::EmptyListLiteral", "prim::forkClosure", "aten::warn"))


def _replace_empty_list_literals(nodes: Iterable[Node]) -> None:
    """Replace empty list literals that no use has typed by empty lists of tensors."""
    for node in nodes:
        if node.kind != "prim::EmptyListLiteral":
            continue
        if node.output.uses:
            with node.graph.inserting_at(node):
                node.output.replace_all_uses_with(make_list(node.graph, t.TENSOR, []))
        node.destroy()


_warnings = count()


def _number_warnings(nodes: Iterable[Node]) -> None:
    """Give each `aten::warn` a number of its own, by which it is shown only once."""
    for node in nodes:
        if node.kind == "aten::warn" and node.block is not None:
            node.set_attr("warn_id", "i", next(_warnings))
