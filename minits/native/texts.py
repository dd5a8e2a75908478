"""Strs: constants, parameters, and the texts of other values, as `str` and `format` show them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from minits.ir.constants import NOT_CONSTANT, to_python
from minits.ir.graph import Node, Value
from minits.native.c_types import NotNative
from minits.native.expressions import filled
from minits.native.text_operators import TEXTS_OF
from minits.ops.implementations.text import encoded
from minits.types import types as t

if TYPE_CHECKING:
    from minits.native.blocks import BlockPrinter


def definitions(names: Mapping[str, str]) -> list[str]:
    """Return the definitions of constants: strs with so many holders that they never end."""
    lines = []
    for text, name in names.items():
        data = encoded(text)
        told = f".length = {len(data)}, .references = INT64_MAX / 2"
        items = f".items = (mts_value *){_quoted(data)}"
        lines.append(f"static mts_list *const {name} = &(mts_list){{{told}, {items}}};")
    return [*lines, ""] if lines else []


def _quoted(data: bytes) -> str:
    """Return a string literal of C."""
    plain = [chr(byte) if 32 <= byte < 127 and byte not in b'"\\?' else "" for byte in data]
    texts = [char or f"\\{byte:03o}" for char, byte in zip(plain, data, strict=True)]
    return f'"{"".join(texts)}"'


def parameters_of_text(body: BlockPrinter, value: Value) -> list[str]:
    """Make a str of its bytes; a length below 0 says that an Optional is None."""
    names = body.function.names
    name = names.of(value)
    length, data = names.new(f"{name}_length"), names.new(f"{name}_bytes")
    made = f"mts_text_of(pool, {length}, {data})"
    if value.type == t.STR:
        body.make(value, made)
    else:
        body.make_or_none(name, f"{length} >= 0", made)
    return [f"int64_t {length}", f"const char *{data}"]


def parameters_of_texts(body: BlockPrinter, name: str, length: str) -> list[str]:
    """Make a list of strs of their lengths, and of the bytes of all of them."""
    names = body.function.names
    lengths, data = names.new(f"{name}_lengths"), names.new(f"{name}_bytes")
    body.make_named(name, f"mts_list_of_texts(pool, {length}, {lengths}, {data})")
    return [f"int64_t {length}", f"const mts_value *{lengths}", f"const char *{data}"]


def print_text(printer: BlockPrinter, node: Node) -> None:
    """Print `aten::str(x)` or `aten::format("{} of {}", x, y)`, whose pattern is a constant.

    Raises `NotNative` for other values than numbers and strs, and where values are lacking.
    """
    printer.show(node)
    if node.kind == "aten::str":
        (value,) = node.inputs
        if value.type == t.STR:
            printer.finish(node.output, printer.read(value), printer.has_read)
        else:
            printer.make(node.output, _maker(printer, node, value))
        return
    pattern, *values = node.inputs
    between = to_python(pattern)
    if between is NOT_CONSTANT or between.count("{}") > len(values):
        raise NotNative(node, node.kind)
    first, *others = between.split("{}")
    parts = [printer.function.literal(first)] if first else []
    for value, text in zip(values, others, strict=False):
        parts.append(_part(printer, node, value))
        parts += [printer.function.literal(text)] if text else []
    given = f"(mts_list *[]){{{', '.join(parts)}}}" if parts else "0"
    printer.make(node.output, f"mts_text_of_parts(pool, {len(parts)}, {given})")


def _part(printer: BlockPrinter, node: Node, value: Value) -> str:
    """Return the variable, or the constant, of a value's text."""
    if value.type == t.STR:
        return printer.variable(value)
    name = printer.function.names.new("shown")
    printer.make_named(name, _maker(printer, node, value))
    return name


def _maker(printer: BlockPrinter, node: Node, value: Value) -> str:
    text = TEXTS_OF.get(value.type.annotation)
    if text is None:
        raise NotNative(node, node.kind)
    return filled(text, [printer.read(value)])
