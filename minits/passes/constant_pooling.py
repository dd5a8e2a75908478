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

Floats are compared as numbers in new graphs, as torch does: 0.0 and -0.0 become one constant, the
first, so that a function that names both computes with one of them. In plans, where constants of
several functions meet, these stay two, as they are for each function alone. A NaN is never pooled.
Members of enums are one constant only where one node is another's copy, or
both are the default of one parameter: each time that the program names a member, torch makes a new
object; and each call of `torch.Generator()` makes a generator of its own. Each constant that is
kept moves to the front, so the last one met comes first.

Source: torch/csrc/jit/passes/constant_pooling.cpp.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from minits.ir.alias import AliasAnalysis
from minits.ir.constants import holds_members, holds_tensors
from minits.ir.graph import Attr, Block, Graph, Node
from minits.types.types import Type
from minits.types.wrapped_number import is_wrapped_number


def pool_constants(graph: Graph) -> bool:
    """Return whether the graph changed."""
    return _visit(graph.block, {}, _content)


def pool_identical_constants(graph: Graph) -> bool:
    """Pool constants, but not 0.0 with -0.0. Return whether the graph changed."""
    return _visit(graph.block, {}, _identical_content)


def pool_equal_constants(graph: Graph) -> bool:
    """Pool constants, equal tensors among them, as torch does. Return whether the graph changed.

    Two that both leave the graph stay two: the caller may write to one of them.
    """
    alias = AliasAnalysis(graph)
    return _visit(graph.block, {}, _equal_content, alias)


def _visit(
    block: Block,
    pool: dict[Any, Node],
    content: Callable[[Attr], Any],
    alias: AliasAnalysis | None = None,
) -> bool:
    """Pool the constants of a block; equal tensors only where aliases are known."""
    changed = False
    for node in block.nodes:
        for inner in node.blocks:
            changed |= _visit(inner, pool, content, alias)
        if node.kind != "prim::Constant":
            continue
        known = pool.setdefault(_key(node, content), node)
        if known is not node:
            if alias is None or _may_be_one(known, node, alias):
                node.output.replace_all_uses_with(known.output)
                node.destroy()
                changed = True
            continue
        first = node.graph.block.end.next
        if node is not first:
            node.move_before(first)
            changed = True
    return changed


def _may_be_one(first: Node, second: Node, alias: AliasAnalysis) -> bool:
    if first.get("value") is second.get("value"):
        return True
    values = (first.output, second.output)
    return not (any(map(alias.is_written, values)) or all(map(alias.escapes, values)))


def _key(node: Node, content: Callable[[Attr], Any]) -> tuple[Any, ...]:
    """The key of a constant: those with one key are one."""
    type: Type = node.output.type
    return (type, *[(name, a.kind, content(a)) for name, a in node.attributes.items()])


def _equal_content(attribute: Attr) -> Any:
    if holds_tensors(attribute.value):
        return _parts(attribute.value, _ByContent)
    return _content(attribute)


def _parts(value: Any, of_tensor: Callable[[torch.Tensor], Any]) -> Any:
    """Return the content of a value that holds tensors, whose text is not all of it."""
    if isinstance(value, torch.Tensor):
        return of_tensor(value)
    if isinstance(value, dict):
        value = (*value.keys(), *value.values())
    if isinstance(value, (list, tuple)):
        return (value.__class__, *[_parts(each, of_tensor) for each in value])
    return (value.__class__, repr(value))


class _ByContent:
    """A tensor as a key: it equals tensors of the same elements, dtype, shape and device.

    A wrapped number equals none that is a tensor for type promotion.
    """

    def __init__(self, tensor: torch.Tensor) -> None:
        self.tensor = tensor
        self._hash = hash((tensor.dtype, tensor.shape, tensor.device, is_wrapped_number(tensor)))

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _ByContent) or hash(self) != hash(other):
            return False
        return self.tensor is other.tensor or torch.equal(self.tensor, other.tensor)


_PLAIN = (int, str)
"""Classes of most constants; others are asked what they are, which is slow of a Generator."""


def _content(attribute: Attr) -> Any:
    value = attribute.value
    if value.__class__ in _PLAIN:
        return (value.__class__, repr(value))
    if isinstance(value, (torch.Tensor, torch.Generator)):
        return id(value)
    if isinstance(value, (float, complex)):
        return _number(value)
    if holds_members(value):
        return id(attribute)
    if attribute.kind == "ival" and holds_tensors(value):
        return _parts(value, id)
    return _items(value)


def _identical_content(attribute: Attr) -> Any:
    """Return the content, with the text of numbers: it tells the signs of zeros."""
    value = attribute.value
    if isinstance(value, (float, complex, tuple, list)) and not holds_tensors(value):
        return (_content(attribute), repr(value))
    return _content(attribute)


def _items(value: Any) -> Any:
    """Return the content of a value without tensors: of tuples and lists, that of their items."""
    if isinstance(value, (float, complex)):
        return _number(value)
    if isinstance(value, (list, tuple)):
        return (value.__class__, *map(_items, value))
    return (value.__class__, repr(value))


def _number(value: complex) -> Any:
    return (value.__class__, value) if value == value else object()
