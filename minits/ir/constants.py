"""Python values as `prim::Constant` nodes, and back.

The type of the node's output tells what the attribute `value` holds; no attribute is `None`.

Source: torch/csrc/jit/ir/constants.cpp (`tryInsertConstant`, `toIValue`).
"""

from __future__ import annotations

from enum import Enum
from typing import Any

import torch

from minits.ir.graph import Attr, Graph, Node, Value
from minits.source import SourceRange
from minits.torch_internals import CPP_OBJECT, name_of_cpp_class
from minits.types import types as t
from minits.types.subtyping import unwrap_optional


class _NotConstant:
    def __repr__(self) -> str:
        return "NOT_CONSTANT"

    def __bool__(self) -> bool:
        return False


NOT_CONSTANT = _NotConstant()

_KINDS: dict[t.Type, str] = {t.BOOL: "i", t.INT: "i", t.FLOAT: "f", t.COMPLEX: "c", t.STR: "s"}


def make_constant(graph: Graph, value: Any, type: t.Type | None = None) -> Node:
    """Return a detached constant node. Raises `TypeError` when the value cannot be a constant."""
    type = type or constant_type(value)
    node = graph.create("prim::Constant", [], [type])
    if value is not None:
        kind, stored = _attribute(value, type)
        node.set_attr("value", kind, stored)
    return node


def insert_constant(
    graph: Graph, value: Any, type: t.Type | None = None, loc: SourceRange | None = None
) -> Value:
    """Insert a constant at the insertion point and return it."""
    node = graph.insert(make_constant(graph, value, type))
    node.range = loc
    return node.output


def constant_type(value: Any) -> t.Type:
    """Return the type of a constant. Raises `TypeError` when it has none."""
    simple = SIMPLE_TYPES.get(type(value))
    if simple is not None:
        return simple
    if isinstance(value, torch.Tensor):
        return t.TENSOR
    if isinstance(value, CPP_OBJECT):
        return t.bound_class(name_of_cpp_class(value))
    if isinstance(value, tuple):
        return t.TupleType(tuple(map(constant_type, value)))
    if isinstance(value, list) and value:
        return t.ListType(constant_type(value[0]))
    if isinstance(value, dict) and value:
        key, item = next(iter(value.items()))
        return t.DictType(constant_type(key), constant_type(item))
    raise TypeError(f"a {type(value).__name__} cannot be a constant")


def type_as_constant(value: Any, declared: t.Type) -> t.Type:
    """Return the type of a constant that replaces a value of the declared type.

    The type of a tuple is that of its items: `(int?, str)` becomes `(int, str)` or `(NoneType,
    str)`. Lists and dicts, which may be empty, and NamedTuples keep the declared type.
    """
    simple = SIMPLE_TYPES.get(type(value))
    if simple is not None:
        return simple
    found = unwrap_optional(declared)
    if isinstance(value, tuple) and isinstance(found, t.TupleType) and not found.fields:
        return t.TupleType(tuple(map(type_as_constant, value, found.elements)))
    return found


SIMPLE_TYPES: dict[type, t.Type] = {
    bool: t.BOOL,
    int: t.INT,
    float: t.FLOAT,
    complex: t.COMPLEX,
    str: t.STR,
    type(None): t.NONE,
    torch.device: t.DEVICE,
    torch.Generator: t.GENERATOR,
}
"""The types of values that have no parts, by their Python classes."""


def _attribute(value: Any, type: t.Type) -> tuple[str, Any]:
    """Return the attribute's kind and content for a value."""
    kind = _KINDS.get(SIMPLE_TYPES.get(value.__class__, t.NONE))
    if kind is not None:
        return kind, int(value) if kind == "i" else value
    if isinstance(value, torch.Tensor):
        return "t", value
    if isinstance(value, torch.device):
        return "s", str(value)
    if isinstance(value, (tuple, list, dict, Enum, torch.Generator, CPP_OBJECT)):
        return "ival", value
    raise TypeError(f"a {value.__class__.__name__} cannot be a constant of type {type}")


def can_be_constant(value: Any) -> bool:
    """Return whether a graph may hold a value: no tensor that gets a gradient or has no storage."""
    if isinstance(value, (list, tuple)):
        return all(map(can_be_constant, value))
    if isinstance(value, dict):
        return can_be_constant([*value, *value.values()])
    if not isinstance(value, torch.Tensor):
        return True
    return value.layout == torch.strided and not value.requires_grad and not value.is_nested


def holds_members(value: Any) -> bool:
    """Return whether a value is a member of an enum or has one among its parts."""
    if isinstance(value, (list, tuple)):
        return any(map(holds_members, value))
    return isinstance(value, Enum)


def holds_tensors(value: Any) -> bool:
    """Return whether a value is a tensor or has one among its parts: its text is not all of it."""
    if isinstance(value, dict):
        return holds_tensors([*value, *value.values()])
    if isinstance(value, (list, tuple)):
        return any(map(holds_tensors, value))
    return isinstance(value, torch.Tensor)


def is_constant_array(value: Value) -> bool:
    """Return whether a value is a constant tensor with dimensions, such as a frozen weight."""
    if value.type != t.TENSOR or value.node.kind != "prim::Constant":
        return False
    content = value.node.get("value")
    return isinstance(content, torch.Tensor) and content.dim() > 0


def shared_constant(value: Any) -> Attr | None:
    """Return the attribute that all constants made of one default share, if sharing shows."""
    return Attr("ival", value) if holds_members(value) else None


def to_python(value: Value) -> Any:
    """Return the Python value of a constant, or `NOT_CONSTANT`."""
    node = value.node
    if node.kind != "prim::Constant" or isinstance(value.type, t.FunctionType):
        return NOT_CONSTANT
    return constant_value(node)


def constant_value(node: Node) -> Any:
    """Return the Python value of a constant node."""
    if "value" not in node.attributes:
        return None
    content, type = node["value"], node.output.type
    if isinstance(type, t.OptionalType):
        type = type.element
    if type == t.BOOL:
        return bool(content)
    if type == t.DEVICE:
        return torch.device(content)
    return content


def has_containers(content: Any) -> bool:
    """Return whether a constant's content is a list or dict, or a tuple with one in it."""
    if isinstance(content, tuple):
        return any(map(has_containers, content))
    return isinstance(content, (list, dict))
