"""The classes of a library as tables of C: its NamedTuples and enums (`mts_class` of the header).

static const char *const mts_names_of_class_0[] = {"x", "y"};
static const mts_class mts_classes[] = {
    {"Point", "Point(int x, int y)", 2, mts_names_of_class_0, 0},
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from minits.ir.graph import Node
from minits.native.c_types import NotNative
from minits.native.enums import members_of
from minits.native_build.literals import any_literal, quoted
from minits.native_build.tables import array
from minits.ops.schema import Argument
from minits.types import types as t

Class = t.TupleType | t.EnumType


def class_tables(classes: Sequence[Class], node: Node) -> str:
    """Return the tables of some classes, and an end that has no name.

    Raises `NotNative`, at `node`, where the value of a member of an enum is no constant of C.
    """
    lines = [line for number, each in enumerate(classes) for line in _arrays(each, number, node)]
    rows = [_row(each, number) for number, each in enumerate(classes)]
    return "\n".join([*lines, *array("mts_class mts_classes", [*rows, "{0}"])])


def _arrays(type: Class, number: int, node: Node) -> Iterator[str]:
    """Yield the names of a class's fields or members, and the values of members."""
    names = ", ".join([*(quoted(field.name) for field in _fields(type)), "0"])
    yield f"static const char *const mts_names_of_class_{number}[] = {{{names}}};"
    if not isinstance(type, t.EnumType):
        return
    values = []
    for member in members_of(type):
        try:
            values.append(any_literal(member.value))
        except TypeError:
            cure = "let the values of members be numbers or strs"
            raise NotNative(node, f"the value of {member}", cure) from None
    yield from array(f"mts_any mts_values_of_class_{number}", values)


def _row(type: Class, number: int) -> str:
    fields = _fields(type)
    name = str(type.name).rpartition(".")[2]
    declaration = f"{name}({', '.join(map(str, fields))})"
    values = f"mts_values_of_class_{number}" if isinstance(type, t.EnumType) else "0"
    texts = [quoted(name), quoted(declaration), str(len(fields)), f"mts_names_of_class_{number}"]
    return f"{{{', '.join([*texts, values])}}}"


def _fields(type: Class) -> list[Argument]:
    """Return the fields of a NamedTuple, or the members of an enum with their values."""
    if isinstance(type, t.EnumType):
        pairs = [(member.name, member.value) for member in members_of(type)]
        return [Argument(name, type.value_type, value) for name, value in pairs]
    items = zip(type.fields, type.elements, strict=True)
    return [Argument(name, element) for name, element in items]
