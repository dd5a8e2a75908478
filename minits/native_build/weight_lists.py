"""Attributes that are lists of tensors, to which no function writes: each tensor is a weight.

Before:
    %weights : Tensor[] = prim::GetAttr[name="flat_weights"](%self)
After:
    %w0 : Tensor = prim::GetAttr[name="flat_weights.0"](%self)
    %w1 : Tensor = prim::GetAttr[name="flat_weights.1"](%self)
    %weights : Tensor[] = prim::ListConstruct(%w0, %w1)
"""

from __future__ import annotations

from typing import Any

import torch

from minits.ir.graph import Graph, Node
from minits.ops.properties import schema_of
from minits.types import types as t

_READING = ("aten::__getitem__", "aten::len", "prim::ListUnpack")
"""Operators that read a list and do not keep it, though its items may be those that they give."""


def is_list_of_weights(value: Any, node: Node) -> bool:
    """Return whether an attribute is a list of tensors that is only read where `node` reads it."""
    if not isinstance(value, list) or not value or node.kind != "prim::GetAttr":
        return False
    is_of_tensors = all(isinstance(each, torch.Tensor) for each in value)
    return is_of_tensors and all(_reads(use.user, use.offset) for use in node.output.uses)


def _reads(node: Node, offset: int) -> bool:
    """Return whether a node reads an operand, neither writing to it nor giving it out."""
    if node.kind in _READING:
        return True
    schema = schema_of(node) if node.kind.startswith("aten::") else None
    return schema is not None and schema.arguments[offset].alias is None


def read_items(graph: Graph, node: Node, path: str, count: int) -> list[Node]:
    """Replace a node that reads a list by one for each item, and return these."""
    items = []
    for number in range(count):
        item = graph.create("prim::GetAttr", [node.input], [t.TENSOR])
        item.set_attr("name", "s", f"{path}.{number}").insert_before(node)
        item.range = node.range
        items.append(item)
    tensors = [item.output for item in items]
    made = graph.create("prim::ListConstruct", tensors, [node.output.type]).insert_before(node)
    node.output.replace_all_uses_with(made.output)
    node.destroy()
    return items
