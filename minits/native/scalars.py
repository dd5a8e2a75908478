"""Numbers that operators of tensors are given, as texts of C: the number in memory, and its kind.

(mts_value[]){{.d = x}}, 'f'                  of a float; an int has 'i', a bool has 'b'
(mts_value[]){{.d = re}, {.d = im}}, 'c'      of a complex number
s->items + 1, mts_number_kind(s)              of one that tells its type
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from minits.ir.graph import Value
from minits.native.c_types import NotNative, is_number
from minits.types import types as t

if TYPE_CHECKING:
    from minits.native.blocks import BlockPrinter

LETTERS: dict[t.Type, str] = {t.FLOAT: "f", t.INT: "i", t.BOOL: "b"}
"""The letter by which C is told the type of a number."""


def is_scalar(type: t.Type) -> bool:
    """Return whether values of a type are single numbers."""
    return type in LETTERS or type == t.COMPLEX or is_number(type)


def has_known_kind(values: Sequence[Value]) -> bool:
    """Return whether the types of numbers are known, and none is complex."""
    return all(value.type in LETTERS for value in values)


def scalar(printer: BlockPrinter, value: Value, as_float: bool = False) -> str:
    """Return the text of a number and its kind.

    as_float: an int is passed as a float. Raises `NotNative` for what is no number.
    """
    if is_number(value.type):
        name = printer.variable(value)
        if not as_float:
            return f"{name}->items + 1, mts_number_kind({name})"
        parts = f"(mts_value[]){{{{.d = mts_number_to_float({name})}}, {name}->items[2]}}"
        return f"{parts}, mts_number_kind({name}) == 'c' ? 'c' : 'f'"
    if value.type == t.COMPLEX:
        name = printer.variable(value)
        return f"(mts_value[]){{{{.d = __real__ {name}}}, {{.d = __imag__ {name}}}}}, 'c'"
    letter = LETTERS.get(value.type)
    if letter is None:
        raise NotNative(value.node, value.type.annotation)
    if as_float:
        letter = "f"
    slot = "d" if letter == "f" else "i"
    return f"(mts_value[]){{{{.{slot} = {printer.read(value)}}}}}, '{letter}'"
