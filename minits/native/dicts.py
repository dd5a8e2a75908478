"""Dicts that are made of items."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from minits.ir.graph import Node
from minits.native.c_types import HELD, c_type, c_type_of
from minits.types import types as t

if TYPE_CHECKING:
    from minits.native.blocks import BlockPrinter


def kind_of(type: t.DictType) -> str:
    """Return the arguments that tell a new dict what it holds: its keys, and values."""
    keys = "s" if type.key == t.STR else "f" if type.key == t.FLOAT else "i"
    return f"'{keys}', {'true' if c_type_of(type.value) is HELD else 'false'}"


def print_construct(printer: BlockPrinter, node: Node) -> None:
    """Print `prim::DictConstruct(key, value, ...)`."""
    c_type(node.output)
    type = node.output.type
    assert isinstance(type, t.DictType)
    printer.show(node)
    texts = [printer.variable(value) for value in node.inputs]
    pairs = [*zip(texts[::2], texts[1::2], strict=True)]
    print_items(printer, type, pairs, printer.function.names.of(node.output))
    printer.tensors.add(node.output)


def print_items(
    printer: BlockPrinter, type: t.DictType, pairs: Sequence[tuple[str, str]], name: str
) -> None:
    """Print a dict of this name, of expressions of keys and values."""
    printer.make_named(name, f"mts_dict_new(pool, {kind_of(type)})")
    key, value = slots_of(type)
    for a, b in pairs:
        item = f"{{.{key} = {a}}}, (mts_value){{.{value} = {b}}}"
        printer.line(f"if (!mts_dict_put({name}, (mts_value){item})) return MTS_NO_MEMORY;")


def slots_of(type: t.DictType) -> tuple[str, str]:
    """Return the members of `mts_value` that hold keys and values."""
    key, value = c_type_of(type.key), c_type_of(type.value)
    return (key.slot if key else ""), (value.slot if value else "")
