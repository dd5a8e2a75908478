"""Common subexpression elimination: compute the same thing once.

Before:
    %a : int = aten::add(%x, %one)
    %b : int = aten::add(%x, %one)
    %c : int = aten::mul(%a, %b)
After:
    %a : int = aten::add(%x, %one)
    %c : int = aten::mul(%a, %a)

Only pure operators, and only those whose inputs and results nothing writes to.

Needs and keeps: a verified graph.
Source: torch/csrc/jit/passes/common_subexpression_elimination.cpp.
"""

from __future__ import annotations

from typing import Any

from minits.ir.alias import AliasAnalysis, is_mutable_type
from minits.ir.graph import Block, Graph, Node
from minits.ops.facts import has_side_effects, is_nondeterministic


def eliminate_common_subexpressions(graph: Graph) -> bool:
    """Return whether the graph changed."""
    return _visit(graph.block, {}, AliasAnalysis(graph))


def _visit(block: Block, outer: dict[Any, Node], alias: AliasAnalysis) -> bool:
    changed = False
    known = dict(outer)
    for node in block.nodes:
        for inner in node.blocks:
            changed |= _visit(inner, known, alias)
        if not _is_candidate(node, alias):
            continue
        first = known.setdefault(_key(node), node)
        if first is node:
            continue
        for output, same in zip(node.outputs, first.outputs, strict=True):
            output.replace_all_uses_with(same)
        node.destroy()
        changed = True
    return changed


def _is_candidate(node: Node, alias: AliasAnalysis) -> bool:
    if node.blocks or not node.outputs or has_side_effects(node) or is_nondeterministic(node):
        return False
    if node.kind in ("prim::Uninitialized", "prim::CreateObject", "prim::GetAttr"):
        return False
    if node.kind.startswith(("prim::List", "prim::Dict")):
        return False  # each is an object of its own
    if any(is_mutable_type(output.type) for output in node.outputs):
        return not alias.has_writers(node) and not _is_escaping(node)
    return not alias.has_writers(node)


def _is_escaping(node: Node) -> bool:
    """Whether a result leaves its block, where somebody else may write to it."""
    return any(
        use.user.kind in ("prim::Return", "prim::SetAttr")
        for output in node.outputs
        for use in output.uses
    )


def _key(node: Node) -> tuple[Any, ...]:
    attributes = tuple(
        (name, attribute.kind, repr(attribute.value)) for name, attribute in node.attributes.items()
    )
    types = tuple(output.type for output in node.outputs)
    return node.kind, tuple(map(id, node.inputs)), attributes, types
