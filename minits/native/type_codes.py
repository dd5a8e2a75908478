"""The types of values as texts, by which functions in C walk through what a value holds.

    i f b s     int, float, bool, str            [X      List[X]
    n           None                             {KV     Dict[K, V]
    ?X          Optional[X]                      (XY)    Tuple[X, Y]
    T           Tensor                           <A.X|A.Y>  an enum: its members as they are shown
    c d         complex, in a box; device

Such functions show values (`c/value_texts.c`), sort and hash them. Libraries have these texts for
parameters and results as well (`native_build/type_codes.py`).
"""

from __future__ import annotations

from minits.native.enums import members_of
from minits.types import types as t
from minits.types.type_parts import count_parts
from minits.types.value_text import format_value

_CODES: dict[t.Type, str] = {
    t.INT: "i", t.FLOAT: "f", t.BOOL: "b", t.STR: "s", t.NONE: "n", t.TENSOR: "T",
    t.COMPLEX: "c", t.DEVICE: "d",
}  # fmt: skip

MOST_PARTS = 500
"""Parts of a type whose code C is still given."""


def code_of_type(type: t.Type) -> str | None:
    """Return the code of a type; None for a type that has none."""
    if count_parts(type) > MOST_PARTS:
        return None
    match type:
        case t.OptionalType(element=element):
            return _together("?", [element], "")
        case t.ListType(element=element):
            return _together("[", [element], "")
        case t.DictType(key=key, value=value):
            return _together("{", [key, value], "")
        case t.TupleType(elements=elements):
            return _together("(", elements, ")")
        case t.EnumType():
            return _code_of_enum(type)
    return _CODES.get(type)


def _together(start: str, types: tuple[t.Type, ...] | list[t.Type], end: str) -> str | None:
    codes = [code_of_type(type) for type in types]
    return None if None in codes else f"{start}{''.join(map(str, codes))}{end}"


def _code_of_enum(type: t.EnumType) -> str | None:
    if type.cls is None:
        return None
    texts = [format_value(member) for member in members_of(type)]
    names = [text.removeprefix("Enum<").removesuffix(">") for text in texts]
    if any("|" in name or ">" in name for name in names):
        return None
    return f"<{'|'.join(names)}>"
