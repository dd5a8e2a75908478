"""Tuples that lists and dicts hold. All others are their items, which the pipeline sees to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from minits.codegen.uses import uses_of
from minits.ir.constants import NOT_CONSTANT, to_python
from minits.ir.graph import Node, Value
from minits.native.c_types import c_type, c_type_of, held_bits
from minits.types import types as t

if TYPE_CHECKING:
    from minits.native.blocks import BlockPrinter


def is_held(value: Value) -> bool:
    """Return whether anything but a result has a tuple: it is made, then."""
    return any(_holds(use.user) for use in uses_of(value))


def _holds(user: Node) -> bool:
    if user.kind == "prim::TupleConstruct":
        return is_held(user.output)
    return user.kind != "prim::Return" or user.owner.owning_node is not None


def print_construct(printer: BlockPrinter, node: Node) -> None:
    """Print `prim::TupleConstruct`, but for one whose items are all that is returned.

    Raises `NotNative`.
    """
    if not is_held(node.output):
        return
    c_type(node.output)
    printer.show(node)
    type = node.output.type
    assert isinstance(type, t.TupleType)
    printer.make(node.output, made(type, [printer.read(value) for value in node.inputs]))


def made(type: t.TupleType, texts: list[str]) -> str:
    """Return the expression of a new tuple of items."""
    slots = [found.slot for element in type.elements if (found := c_type_of(element))]
    items = ", ".join([f"{{.{slot} = {text}}}" for slot, text in zip(slots, texts, strict=True)])
    given = f"(mts_value[]){{{items}}}" if texts else "0"
    return f"mts_tuple_of(pool, {len(texts)}, {held_bits(type.elements)}, {given})"


def print_unpack(printer: BlockPrinter, node: Node) -> None:
    """Print `prim::TupleUnpack` or `prim::TupleIndex` of a tuple that a list has held."""
    source = node.inputs[0]
    type = source.type
    c_type(source)
    assert isinstance(type, t.TupleType)
    name = printer.variable(source)
    first = 0
    if node.kind == "prim::TupleIndex":
        index = to_python(node.inputs[1])
        if index is NOT_CONSTANT:
            _print_index(printer, node, name, len(type.elements))
            return
        first = index % len(type.elements)
    for number, output in enumerate(node.outputs, first):
        printer.finish(output, f"{name}->items[{number}].{c_type(output).slot}")


def _print_index(printer: BlockPrinter, node: Node, name: str, length: int) -> None:
    """Print the item of a tuple of one type at an index that is computed."""
    index = printer.variable(node.inputs[1])
    printer.show(node)
    printer.leave_if(f"!mts_is_index({index}, {length})", node)
    printer.finish(node.output, f"mts_at({name}, {index})->{c_type(node.output).slot}")
