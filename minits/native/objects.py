"""Objects of script classes: lists of their attributes, in the order in which these are declared.

    mts_list *point = mts_object_new(pool, 2, 0u);     Point(x: float, y: float)
    point->items[1].d = y;                             self.y = y

They live within the call: what Python has, or is given, is an object of Python.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from minits.codegen.uses import is_used
from minits.ir.graph import Node
from minits.native.c_types import HELD, CType, NotNative, c_type, c_type_of, held_bits
from minits.types import types as t

if TYPE_CHECKING:
    from minits.native.blocks import BlockPrinter


def print_create(printer: BlockPrinter, node: Node) -> None:
    """Print `prim::CreateObject`."""
    c_type(node.output)
    type = node.output.type
    assert isinstance(type, t.ClassType)
    printer.show(node)
    types = [attribute.type for attribute in type.attributes.values()]
    printer.make(node.output, f"mts_object_new(pool, {len(types)}, {held_bits(types)})")


def print_get(printer: BlockPrinter, node: Node) -> None:
    """Print `prim::GetAttr`, which is read before the next statement that writes."""
    index, type = _attribute(node)
    if is_used(node.output):
        itself = printer.operand(node.inputs[0])
        printer.finish(node.output, f"{itself}->items[{index}].{type.slot}", reads=True)


def print_set(printer: BlockPrinter, node: Node) -> None:
    """Print `prim::SetAttr`."""
    index, type = _attribute(node)
    printer.show(node)
    itself, value = map(printer.operand, node.inputs)
    printer.function.writes_lists = True
    if type is HELD:
        printer.line(f"mts_put_list({itself}, {index}, {value});")
    else:
        printer.line(f"{itself}->items[{index}].{type.slot} = {value};")


def _attribute(node: Node) -> tuple[int, CType]:
    """Return the place of an attribute, and its type. Raises `NotNative`."""
    type, name = node.inputs[0].type, node["name"]
    c_type(node.inputs[0])
    if not isinstance(type, t.ClassType) or name not in type.attributes:
        raise NotNative(node, node.kind)
    found = c_type_of(type.attributes[name].type)
    assert found is not None
    return list(type.attributes).index(name), found
