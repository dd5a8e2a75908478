"""Common subexpression elimination: compute the same thing once.

Before:
    %a : int = aten::add(%x, %one)
    %b : int = aten::add(%x, %one)
    %c : int = aten::mul(%a, %b)
After:
    %a : int = aten::add(%x, %one)
    %c : int = aten::mul(%a, %a)

Only pure operators, and only those whose inputs and results nothing writes to. Of two results that
both leave the graph neither replaces the other: the caller may write to one of them.

Needs and keeps: a verified graph.
Source: torch/csrc/jit/passes/common_subexpression_elimination.cpp.
"""

from __future__ import annotations

from typing import Any

from minits.ir.alias import AliasAnalysis
from minits.ir.graph import Block, Graph, Node
from minits.ops.properties import has_side_effects, is_nondeterministic


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
        if first is node or (_escapes(node, alias) and _escapes(first, alias)):
            continue
        for output, same in zip(node.outputs, first.outputs, strict=True):
            output.replace_all_uses_with(same)
        node.destroy()
        changed = True
    return changed


def _is_candidate(node: Node, alias: AliasAnalysis) -> bool:
    if node.blocks or not node.outputs or has_side_effects(node) or is_nondeterministic(node):
        return False
    return node.kind != "prim::CreateObject" and not alias.has_writers(node)


_SAME_OBJECT = (
    "prim::GetAttr", "prim::TupleIndex", "prim::TupleUnpack", "prim::ListUnpack",
    "aten::__getitem__", "prim::unchecked_cast", "prim::Uninitialized",
)  # fmt: skip
"""Two of these with the same inputs are the same object anyway, or never looked at."""


def _escapes(node: Node, alias: AliasAnalysis) -> bool:
    """Return whether somebody else may see a result, and write to it or ask which object it is."""
    return node.kind not in _SAME_OBJECT and any(alias.escapes(output) for output in node.outputs)


_PLAIN = ("i", "f", "c", "s", "ty", "is", "fs", "cs", "ss", "tys")
"""Kinds of attributes that are equal when their texts are; a tensor's text leaves elements out."""


def _key(node: Node) -> tuple[Any, ...]:
    attributes = tuple(
        (name, kind, repr(value) if kind in _PLAIN else id(value))
        for name, (kind, value) in node.attributes.items()
    )
    types = tuple(output.type for output in node.outputs)
    return node.kind, tuple(map(id, node.inputs)), attributes, types
