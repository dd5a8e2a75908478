"""Members of enums: numbers of C, by the order in which the class has them.

season == Season.WINTER      season == 0
season.value                 ((int64_t[]){10, 20})[season]
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Any

from minits.ir.graph import Node
from minits.native.c_types import HELD, NotNative, c_type
from minits.native.expressions import filled
from minits.types import types as t

if TYPE_CHECKING:
    from minits.native.blocks import BlockPrinter

_COMPARED = {"aten::eq": ("{0} == {1}", False), "aten::ne": ("{0} != {1}", True)}
"""The text of a comparison, and what it gives for members of two classes."""


def members_of(type: t.EnumType) -> list[Any]:
    """Return the members of an enum, in their order; none if its class is not known."""
    cls: Any = type.cls
    return [] if cls is None else list(cls)


def number_of(member: Enum) -> int:
    """Return the number that a member is in C."""
    return list(type(member)).index(member)


def print_enum(printer: BlockPrinter, node: Node) -> bool:
    """Print `prim::EnumName`, `prim::EnumValue` or a comparison of members, if a node is one."""
    type = node.inputs[0].type if node.inputs else None
    if not isinstance(type, t.EnumType):
        return False
    if node.kind in _COMPARED:
        text, otherwise = _COMPARED[node.kind]
        if type == node.inputs[1].type:
            text = filled(text, [printer.operand(value) for value in node.inputs])
        else:
            text = printer.function.literal(otherwise)
        printer.finish(node.output, text, printer.has_read)
    elif node.kind in ("prim::EnumName", "prim::EnumValue"):
        _print_part(printer, node, type)
    else:
        return False
    return True


def _print_part(printer: BlockPrinter, node: Node, type: t.EnumType) -> None:
    """Print the name or the value of a member, which is read from a table. Raises `NotNative`."""
    c_type(node.inputs[0])
    members, part = members_of(type), node.kind.removeprefix("prim::Enum").lower()
    found = c_type(node.output)
    if found is not HELD and node.output.type not in (t.INT, t.FLOAT):
        raise NotNative(node, node.kind)
    texts = [printer.function.literal(getattr(member, part)) for member in members]
    index = printer.read(node.inputs[0])
    text = f"(({found.name}[]){{{', '.join(texts)}}})[{index}]"
    printer.finish(node.output, text, printer.has_read)
