"""Constant pooling: one node for equal constants, at the front of the graph.

Before:
    %a : int = prim::Constant[value=1]()
    %x : int = aten::neg(%a)
    %b : int = prim::Constant[value=1]()
    %y : int = aten::add(%x, %b)
After:
    %a : int = prim::Constant[value=1]()
    %x : int = aten::neg(%a)
    %y : int = aten::add(%x, %a)

Floats are compared as numbers, as torch does: 0.0 and -0.0 become one constant, the first, and a
NaN is never pooled. Members of enums are one constant only where one node is another's copy, or
both are the default of one parameter: each time that the program names a member, torch makes a new
object; and each call of `torch.Generator()` makes a generator of its own. Each constant that is
kept moves to the front, so the last one met comes first.

Source: torch/csrc/jit/passes/constant_pooling.cpp.
"""

from __future__ import annotations

from typing import Any

import torch

from minits.ir.constants import holds_members
from minits.ir.graph import Attr, Block, Graph, Node
from minits.types.types import Type


def pool_constants(graph: Graph) -> bool:
    """Return whether the graph changed."""
    return _visit(graph.block, {})


def _visit(block: Block, pool: dict[Any, Node]) -> bool:
    changed = False
    for node in block.nodes:
        for inner in node.blocks:
            changed |= _visit(inner, pool)
        if node.kind != "prim::Constant":
            continue
        key = _key(node)
        known = pool.setdefault(key, node)
        if known is not node:
            node.output.replace_all_uses_with(known.output)
            node.destroy()
            changed = True
            continue
        first = node.graph.block.end.next
        if node is not first:
            node.move_before(first)
            changed = True
    return changed


def _key(node: Node) -> tuple[Any, ...]:
    """The key of a constant: those with one key are one."""
    type: Type = node.output.type
    return (type, *[(name, a.kind, _content(a)) for name, a in node.attributes.items()])


_PLAIN = (int, str)
"""Classes of most constants; others are asked what they are, which is slow of a Generator."""


def _content(attribute: Attr) -> Any:
    value = attribute.value
    if value.__class__ in _PLAIN:
        return (value.__class__, repr(value))
    if isinstance(value, (torch.Tensor, torch.Generator)):
        return id(value)
    if isinstance(value, float):
        return value if value == value else object()
    if holds_members(value):
        return id(attribute)
    return (value.__class__, repr(value))
