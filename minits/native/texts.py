"""Strs: constants, parameters, and the texts of other values, as `str` and `format` show them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from minits.ir.constants import NOT_CONSTANT, to_python
from minits.ir.graph import Node, Value
from minits.native.c_types import NotNative
from minits.native.enums import members_of
from minits.native.expressions import filled
from minits.native.optional_numbers import BOX
from minits.native.text_operators import KINDS_OF_ITEMS, TEXTS_OF
from minits.ops.implementations.text import encoded
from minits.types import types as t
from minits.types.value_text import format_value

if TYPE_CHECKING:
    from minits.native.blocks import BlockPrinter


def definitions(names: Mapping[str, str]) -> list[str]:
    """Return the definitions of constants: strs with so many holders that they never end."""
    lines = []
    for text, name in names.items():
        data = encoded(text)
        told = f".length = {len(data)}, .references = MTS_ETERNAL"
        items = f".items = (mts_value *){quoted(data)}"
        lines.append(f"static mts_list *const {name} = &(mts_list){{{told}, {items}}};")
    return [*lines, ""] if lines else []


_ESCAPES = {ord('"'): '\\"', ord("\\"): "\\\\", ord("\n"): "\\n"}


def quoted(data: bytes) -> str:
    """Return a string literal of C. It has neither `//`, as comments have, nor a trigraph."""
    texts = [
        _ESCAPES.get(byte) or (chr(byte) if 32 <= byte < 127 else f"\\{byte:03o}") for byte in data
    ]
    return f'"{"".join(texts)}"'.replace("//", '/""/').replace("??", '?""?')


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
    """Print `aten::str(x)`, `aten::format("{} of {}", x, y)` or `aten::percentFormat("%d", x)`.

    Raises `NotNative` for values whose text C does not make, and patterns that are no constants.
    """
    printer.show(node)
    if node.kind == "aten::str":
        (value,) = node.inputs
        if value.type == t.STR:
            printer.finish(node.output, printer.read(value), printer.has_read)
        else:
            printer.make(node.output, _maker(printer, node, value))
        return
    found = _pieces(node)
    if found is None:
        printer.leave(node)
    else:
        printer.make(node.output, joined(printer, node, found))


def _pieces(node: Node) -> list[str | Value] | None:
    """Return the texts and values that a pattern becomes; None where it always raises.

    Raises `NotNative` for a pattern that is no constant, or has other forms than `%s` and `%d`.
    """
    pattern, *values = node.inputs
    between = to_python(pattern)
    if between is NOT_CONSTANT:
        raise NotNative(node, node.kind)
    if node.kind == "aten::format":
        texts = between.split("{}")
        if len(texts) - 1 > len(values):
            return None
    else:
        if values[0].node.kind == "prim::TupleConstruct":
            values = values[0].node.inputs
        texts = _between_percents(node, between, values)
    found: list[str | Value] = [texts[0]]
    for value, text in zip(values, texts[1:], strict=False):
        found += [value, text]
    return [piece for piece in found if piece != ""]


def _between_percents(node: Node, pattern: str, values: Sequence[Value]) -> list[str]:
    """Return the texts before, between and after the values of a pattern of `%`."""
    texts, types = [""], []
    for piece in re.findall(r"%.?|[^%]+", pattern, re.DOTALL):
        if piece in ("%s", "%d", "%i"):
            texts.append("")
            types.append(piece)
        elif piece[0] == "%" and piece != "%%":
            raise NotNative(node, node.kind)
        else:
            texts[-1] += "%" if piece == "%%" else piece
    shown = zip(types, values, strict=False)
    are_ints = all(type == "%s" or value.type == t.INT for type, value in shown)
    if len(types) != len(values) or not are_ints or isinstance(values[0].type, t.TupleType):
        raise NotNative(node, node.kind)
    return texts


def joined(printer: BlockPrinter, node: Node, pieces: Sequence[str | Value]) -> str:
    """Return the expression of a new str of texts and the texts of values."""
    parts = [
        printer.function.literal(piece) if isinstance(piece, str) else _part(printer, node, piece)
        for piece in pieces
    ]
    given = f"(mts_list *[]){{{', '.join(parts)}}}" if parts else "0"
    return f"mts_text_of_parts(pool, {len(parts)}, {given})"


def print_values(printer: BlockPrinter, node: Node) -> None:
    """Print `prim::Print`: Python is called to write the line. Those of warnings are numbered."""
    printer.show(node)
    pieces: list[str | Value] = []
    for value in node.inputs:
        pieces += [value, " "]
    name = printer.function.names.new("line")
    printer.make_named(name, joined(printer, node, [*pieces[:-1], "\n"]))
    if (number := node.get("warning")) is not None:
        given = f"&mts_warned[{number}], mts_bytes({name}), {name}->length"
        printer.line(f"mts_warn({given});")
        return
    printer.function.prints = True
    printer.line(f"if (print(mts_bytes({name}), {name}->length)) return MTS_RAISED;")


def _part(printer: BlockPrinter, node: Node, value: Value) -> str:
    """Return the variable, or the constant, of a value's text."""
    if value.type == t.STR:
        return printer.variable(value)
    if value.type == t.NONE:
        return printer.function.literal("None")
    if isinstance(value.type, t.EnumType):
        return _text_of_member(printer, value, value.type)
    name = printer.function.names.new("shown")
    printer.make_named(name, _maker(printer, node, value))
    return name


def _text_of_member(printer: BlockPrinter, value: Value, type: t.EnumType) -> str:
    texts = [printer.function.literal(format_value(member)) for member in members_of(type)]
    return f"((mts_list *[]){{{', '.join(texts)}}})[{printer.read(value)}]"


def _maker(printer: BlockPrinter, node: Node, value: Value) -> str:
    """Return the expression of a new str, the text of a value. Raises `NotNative`."""
    is_list = isinstance(value.type, t.ListType)
    text = TEXTS_OF.get(value.type.annotation)
    if value.node.kind == BOX and value.node.input.type == t.COMPLEX:  # an item of a tuple
        text = TEXTS_OF["complex"].replace("{0}", "mts_complex_in({0})")
    if is_list and value.type.annotation[5:-1] in KINDS_OF_ITEMS:
        text = f"mts_text_of_list(pool, {{0}}, '{KINDS_OF_ITEMS[value.type.annotation[5:-1]]}')"
    if text is None:
        raise NotNative(node, node.kind)
    return filled(text, [printer.read(value)])


def print_partition(printer: BlockPrinter, node: Node) -> None:
    """Print `text.partition(separator)`, or `rpartition`: what is before, the separator, the rest.

    Without the separator all of the text comes first, or last; as with an empty one, but that
    `partition` has the text last then, and `rpartition` first.
    """
    printer.show(node)
    text, separator = [printer.variable(value) for value in node.inputs]
    find, first = ("mts_find", "true") if node.kind == "aten::partition" else ("mts_rfind", "false")
    at = printer.function.names.new("at")
    printer.line(f"int64_t {at} = {find}({text}, {separator}, 0, INT64_MAX);")
    given = f"{text}, {separator}, {at}, {first}"
    for number, output in enumerate(node.outputs):
        printer.make(output, f"mts_part(pool, {given}, {number})")
