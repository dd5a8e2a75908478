"""Values of Python as constants of C, of type `mts_any`: defaults of parameters, attributes.

1           {.kind = MTS_INT, .as = {.integer = 1}}
"ab"        {.kind = MTS_STR, .length = 2, .as = {.text = "ab"}}
"""

from __future__ import annotations

from enum import Enum
from typing import Any

import torch

from minits.native.c_types import literal
from minits.native.expressions import quoted as literal_of_bytes
from minits.ops.implementations.text import encoded


def any_literal(value: Any) -> str:
    """Return the initializer of a value. Raises `TypeError` for one that has none."""
    match value:
        case Enum():  # which may be an int as well
            return _text("MTS_ENUM", value.name)
        case None:
            return "{.kind = MTS_NONE}"
        case bool():
            return _literal("MTS_BOOL", f".boolean = {literal(value)}")
        case int():
            return _literal("MTS_INT", f".integer = {literal(value)}")
        case float():
            return _literal("MTS_FLOAT", f".real = {literal(value)}")
        case str():
            return _text("MTS_STR", value)
        case complex():
            part = f".imaginary = {literal(value.imag)}"
            return _literal("MTS_COMPLEX", f".real = {literal(value.real)}", part)
        case torch.device():
            return _text("MTS_DEVICE", str(value))
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
    return _literal(kind, f".items = {given}", f".length = {length}")


def _text(kind: str, content: str) -> str:
    data = encoded(content)
    return _literal(kind, f".text = {literal_of_bytes(data)}", f".length = {len(data)}")


def _literal(kind: str, content: str, *more: str) -> str:
    """Return the initializer of a kind, what `as` has, and other members."""
    return f"{{{', '.join([f'.kind = {kind}', f'.as = {{{content}}}', *more])}}}"


def quoted(text: str) -> str:
    """Return the string literal of C of a text, as UTF-8."""
    return literal_of_bytes(encoded(text))


def quoted_or_null(text: str | None) -> str:
    """Return a string literal, or 0 for None."""
    return "0" if text is None else quoted(text)
