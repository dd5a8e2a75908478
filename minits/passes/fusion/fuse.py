"""Fuse elementwise operators, the reductions between them, and views into kernels.

Before:
    %3 : Tensor = aten::div(%scores, %scale)
    %4 : Tensor = aten::add(%3, %mask, %one)
    %5 : Tensor = aten::softmax(%4, %minus_one, %none)
After:
    %5 : Tensor = prim::FusionGroup(%scores, %scale, %mask)
with the three operators and their constants in the attribute `Subgraph`, which
`minits.kernels.lowering.lower` makes a kernel of.

The passes before it (passes/pipeline.py, "groups") have split losses and dropouts into operators
that have kernels, and turned questions for sizes of computed tensors into questions of the tensors
that these are computed from. Each block has groups of its own. Remarks tell for each operator which
kernel it is in, or why it is in none. Kernels are numbered in the order in which they stand in the
program.

Source: torch/csrc/jit/passes/tensorexpr_fuser.cpp and graph_fuser.cpp do the same.
Differs: reductions are fused, groups are found in a graph of dependences instead of by moving
nodes one at a time, and checks that raise do not separate operators.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from minits.ir.alias import AliasAnalysis
from minits.ir.graph import Block, Graph, Node, Value
from minits.ir.native_loops import is_marked
from minits.passes.fusion.dependences import straight_line_regions
from minits.passes.fusion.dropout import Part
from minits.passes.fusion.grouping import Grouping
from minits.passes.fusion.nested_effects import NestedEffects
from minits.passes.fusion.outcomes import Outcome, explain
from minits.passes.fusion.outline import KIND, outline, remove_unread
from minits.passes.fusion.raising_gradients import beside_errors
from minits.passes.fusion.shape_queries import return_shape_queries
from minits.passes.fusion.subgraph import StraightLineRegion
from minits.passes.remarks import Remark
from minits.records import replace
from minits.types.tensor_meta import TensorMeta

__all__ = ["KIND", "fuse"]


def fuse(
    graph: Graph,
    metas: dict[Value, TensorMeta],
    remarks: list[Remark],
    apart: Collection[str] = (),
    dropout_parts: Mapping[Node, Part] | None = None,
    asked_before: Mapping[Node, Value] | None = None,
) -> bool:
    """Return whether the graph changed. Adds to `remarks`.

    Operators of the kinds `apart` are left to torch. Nodes in `dropout_parts` were split off a
    dropout, which remarks name instead. `asked_before` has the tensor of which the program asks a
    size, by the node that now asks another tensor for it.
    """
    made = dropout_parts or {}
    alias = AliasAnalysis(graph)
    position = {node: index for index, node in enumerate(graph.all_nodes())}
    nested = NestedEffects(graph, alias)
    sides = beside_errors(graph, metas, alias)
    parts = [
        Grouping(StraightLineRegion(nodes, metas, alias, apart), nested, sides)
        for block in _blocks(graph.block)
        for nodes in straight_line_regions(block)
    ]
    found: list[tuple[Outcome, Node | None]] = []
    given: dict[Value, Value] = {}
    for part, groups in [(part, part.run()) for part in parts]:
        outcomes = list(explain(part, groups))
        kernels = outline(graph, part, groups, given)
        found += [(each, None if each.group is None else kernels[each.group]) for each in outcomes]
    return_shape_queries(asked_before or {}, given)
    remove_unread(graph.block)
    number = {node: index for index, node in enumerate(groups_of(graph))}
    found.sort(key=lambda each: position[each[0].node])
    reported = {(each.operator, each.range) for each in remarks if each.kind == "missed"}
    for outcome, kernel in found:
        part_of = made.get(outcome.node)
        remark = outcome.remark if part_of is None else part_of.told(outcome.remark)
        if remark is None:
            continue
        if (remark.operator, remark.range) not in reported or remark.code != "aliased-mutation":
            remarks.append(remark if kernel is None else _numbered(remark, number[kernel]))
    return bool(number)


def groups_of(graph: Graph) -> list[Node]:
    """Return the graph's groups in order: the numbers of the kernels."""
    return graph.nodes_of_kind(KIND)


def _numbered(remark: Remark, kernel: int) -> Remark:
    message = remark.message.replace("{kernel}", str(kernel))
    return replace(remark, kernel=kernel, message=message)


def _blocks(block: Block) -> list[Block]:
    """Return a block and those inside it, outer ones first; not those of loops that run as C."""
    nodes = [node for node in block.nodes if not is_marked(node)]
    inner = [found for node in nodes for each in node.blocks for found in _blocks(each)]
    return [block, *inner]
