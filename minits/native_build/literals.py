"""Values of Python as constants of C, of type `mts_any`: defaults of parameters, attributes.

[1, 2]      {MTS_LIST, 2, {.items = (mts_any[]){{MTS_INT, 0, {.integer = 1}}, ...}}}
"""

from __future__ import annotations

from typing import Any

from minits.native.c_types import literal
from minits.native.expressions import quoted as literal_of_bytes
from minits.ops.implementations.text import encoded


def any_literal(value: Any) -> str:
    """Return the initializer of a value. Raises `TypeError` for one that has none."""
    match value:
        case None:
            return "{MTS_NONE}"
        case bool():
            return f"{{MTS_BOOL, 0, {{.boolean = {literal(value)}}}}}"
        case int():
            return f"{{MTS_INT, 0, {{.integer = {literal(value)}}}}}"
        case float():
            return f"{{MTS_FLOAT, 0, {{.real = {literal(value)}}}}}"
        case str():
            data = encoded(value)
            return f"{{MTS_STR, {len(data)}, {{.text = {literal_of_bytes(data)}}}}}"
        case list():
            return _items("MTS_LIST", len(value), [*map(any_literal, value)])
        case tuple():
            return _items("MTS_TUPLE", len(value), [*map(any_literal, value)])
        case dict():
            parts = [any_literal(part) for item in value.items() for part in item]
            return _items("MTS_DICT", len(value), parts)
    raise TypeError(f"{type(value).__name__} is no constant of C")


def _items(kind: str, length: int, texts: list[str]) -> str:
    given = f"(mts_any[]){{{', '.join(texts)}}}" if texts else "0"
    return f"{{{kind}, {length}, {{.items = {given}}}}}"


def quoted(text: str) -> str:
    """Return the string literal of C of a text, as UTF-8."""
    return literal_of_bytes(encoded(text))


def quoted_or_null(text: str | None) -> str:
    """Return a string literal, or 0 for None."""
    return "0" if text is None else quoted(text)
