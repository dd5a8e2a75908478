"""Strs: constants, parameters, and the texts of other values, as `str` and `format` show them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from minits.ir.graph import Node, Value
from minits.native import text_patterns
from minits.native.c_types import NotNative, c_type_of, has_tensors, is_number
from minits.native.enums import members_of
from minits.native.expressions import filled, quoted
from minits.native.text_operators import TEXTS_OF
from minits.native.text_patterns import Shown
from minits.native.type_codes import code_of_type
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


_BY_FORM: dict[tuple[str, t.Type], str] = {
    **{(form, t.INT): TEXTS_OF["int"] for form in "di"},
    **{(form, t.BOOL): TEXTS_OF["int"] for form in "di"},
    **{(form, t.FLOAT): "mts_text_of_int(pool, mts_c_int({0}))" for form in "di"},
    **{
        (form, type): f'mts_text_by_pattern(pool, "%.6{form}", {{0}})'
        for form in "eEfF"
        for type in (t.INT, t.BOOL, t.FLOAT)
    },
}
"""The texts of numbers by the forms of `%`."""


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
        text, is_new = _text(printer, node, Shown(node.inputs[0]))
        if is_new:
            printer.make(node.output, text)
        else:
            printer.finish(node.output, text, printer.has_read)
        return
    found = text_patterns.pieces(node)
    if found is None:
        printer.leave(node)
    else:
        printer.make(node.output, joined(printer, node, found))


def joined(printer: BlockPrinter, node: Node, pieces: Sequence[str | Shown]) -> str:
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
    pieces: list[str | Shown] = []
    for value in node.inputs:
        pieces += [Shown(value), " "]
    name = printer.function.names.new("line")
    printer.make_named(name, joined(printer, node, [*pieces[:-1], "\n"]))
    if (number := node.get("warning")) is not None:
        given = f"&mts_warned[{number}], mts_bytes({name}), {name}->length"
        printer.line(f"mts_warn({given});")
        return
    printer.function.prints = True
    printer.write_if(f"print(mts_bytes({name}), {name}->length)", printer.stopping("MTS_RAISED"))


def is_shown(type: t.Type) -> bool:
    """Return whether C makes the texts of values of a type."""
    return c_type_of(type) is not None and (
        type.annotation in TEXTS_OF or code_of_type(type) is not None
    )


def _part(printer: BlockPrinter, node: Node, shown: Shown) -> str:
    """Return the variable, or the constant, of a value's text."""
    text, is_new = _text(printer, node, shown)
    if not is_new:
        return text
    name = printer.function.names.new("shown")
    printer.make_named(name, text)
    return name


def _text(printer: BlockPrinter, node: Node, shown: Shown) -> tuple[str, bool]:
    """Return the expression of a value's text, and whether that is a new str.

    Raises `NotNative`.
    """
    type = shown.type
    if shown.form == "c":
        return _character(printer, node, shown), True
    if shown.form != "s":
        return filled(_BY_FORM[shown.form, type], [_read(printer, shown)]), True
    if type == t.STR:
        return _read(printer, shown), False
    if type == t.NONE:
        return printer.function.literal("None"), False
    if isinstance(type, t.EnumType):
        return _text_of_member(printer, _read(printer, shown), type), False
    name = "number" if is_number(type) else type.annotation
    text = TEXTS_OF.get(name) or _by_code(printer, node, type)
    found = _read(printer, shown)
    if type == t.TENSOR:
        if any(
            word in each.kind for each in printer.function.graph.all_nodes() for word in _MAKERS
        ):
            raise NotNative(node, node.kind)
        printer.leave_if(f"mts_has_no_text({found})", node)
    return filled(text, [found]), True


_MAKERS = ("sparse", "quantize")
"""Parts of the names of operators that make tensors whose texts Python alone writes."""


def _by_code(printer: BlockPrinter, node: Node, type: t.Type) -> str:
    """Return the text of C that shows a value by the code of its type. Raises `NotNative`."""
    code, found, shows_tensors = code_of_type(type), c_type_of(type), has_tensors(type)
    if code is None or found is None or (shows_tensors and not printer.function.has_handles):
        raise NotNative(node, node.kind)
    tensor = "mts_write_tensor" if shows_tensors else "0"
    value = f"(mts_value){{.{found.slot} = {{0}}}}"
    return f"mts_text_of_value(pool, {value}, {quoted(encoded(code))}, {tensor})"


def _read(printer: BlockPrinter, shown: Shown) -> str:
    """Return the expression of a value that is shown; of a str or tensor the variable."""
    if shown.item is not None:
        found = c_type_of(shown.type)
        assert found is not None
        return f"{printer.variable(shown.value)}->items[{shown.item}].{found.slot}"
    if shown.type in (t.STR, t.TENSOR):
        return printer.variable(shown.value)
    return printer.read(shown.value)


def _text_of_member(printer: BlockPrinter, number: str, type: t.EnumType) -> str:
    texts = [printer.function.literal(format_value(member)) for member in members_of(type)]
    return f"((mts_list *[]){{{', '.join(texts)}}})[{number}]"


def _character(printer: BlockPrinter, node: Node, shown: Shown) -> str:
    """Return the expression of the text by `%c`; a str has to be of one byte."""
    text = _read(printer, shown)
    if shown.type == t.STR:
        printer.leave_if(f"{text}->length != 1", node)
        return f"mts_text_of(pool, 1, mts_bytes({text}))"
    return f"mts_character(pool, {text})"


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
