"""Strings. In TorchScript a string is a sequence of bytes, UTF-8 by convention: `len("é")` is 2.

Each operation is written for strings whose characters stand for bytes. ASCII strings are such
strings; others are converted to that form and back. A result that is no valid UTF-8, such as
`"é"[0]`, holds its bytes as lone surrogates (`errors="surrogateescape"`).

Source: torch/csrc/jit/runtime/register_prim_ops.cpp (`stringOpGenArgs`).
"""

from __future__ import annotations

import operator
import re
import string
from collections.abc import Callable
from functools import wraps
from typing import Any

from minits.ops.errors import ScriptError, ScriptIndexError, ScriptValueError
from minits.ops.implementations.containers import check_step
from minits.ops.implementations.text import encoded

_LINE_ENDS = "\n\r\x0b\x0c\x1c\x1d\x1e\x85\xe2\x80\xa8\xa9"
"""torch lists U+0085, U+2028 and U+2029 too, and so the bytes of their UTF-8."""

_LINE_END = re.compile(f"[{_LINE_ENDS}]")
_SPACE = re.compile(f"[ \t{_LINE_ENDS}]")
_UPPER = str.maketrans(string.ascii_lowercase, string.ascii_uppercase)
_LOWER = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)
_LETTERS = frozenset(string.ascii_letters)
_PRINTABLE = frozenset(string.ascii_letters + string.digits + string.punctuation + " ")


def to_bytes(text: str) -> str:
    """Return the string whose characters are the bytes of `text`."""
    return encoded(text).decode("latin-1")


def from_bytes(value: Any) -> Any:
    """Undo `to_bytes` in a string and in all strings of a list or tuple."""
    if isinstance(value, str):
        return value.encode("latin-1").decode("utf-8", "surrogateescape")
    if isinstance(value, (list, tuple)):
        return type(value)(map(from_bytes, value))
    return value


def bytewise(function: Callable[..., Any]) -> Callable[..., Any]:
    """Make a function of strings of bytes a function of strings."""

    @wraps(function)
    def result(text: str, *arguments: Any) -> Any:
        if text.isascii():
            for argument in arguments:
                if isinstance(argument, str) and not argument.isascii():
                    break
            else:
                return function(text, *arguments)
        arguments = tuple(to_bytes(a) if isinstance(a, str) else a for a in arguments)
        return from_bytes(function(to_bytes(text), *arguments))

    return result


def concatenate(a: str, b: str) -> str:
    text = a + b
    return text if text.isascii() else str(from_bytes(to_bytes(text)))


def length(text: str) -> int:
    return len(text) if text.isascii() else len(to_bytes(text))


def item(text: str, index: int) -> str:
    """Return one character. Raises `ScriptIndexError`."""
    try:
        return text[index]
    except IndexError:
        raise ScriptIndexError("string index out of range") from None


def slice_(text: str, start: int | None, end: int | None, step: int) -> str:
    check_step(step)
    return text[start:end:step]


def _bounds(text: str, start: int, end: int) -> tuple[int, int]:
    """Resolve negative bounds; -1 as an end is the end of the string."""
    size = len(text)
    start = max(0, size + start) if start < 0 else start
    end = max(0, size + end + 1) if end < 0 else end
    return start, end


def _part(text: str, start: int, end: int) -> str:
    """Return the substring as C++ does: an `end` before `start` is ignored.

    Raises `ScriptIndexError` if `start` is past the end.
    """
    start, end = _bounds(text, start, end)
    if start > len(text):
        raise ScriptIndexError(
            f"basic_string::substr: __pos (which is {start}) > this->size() (which is {len(text)})"
        )
    return text[start:end] if end >= start else text[start:]


def find(text: str, part: str, start: int = 0, end: int = -1) -> int:
    start, end = _bounds(text, start, end)
    where = (_part(text, start, end) if end > start else "").find(part)
    return where if where < 0 else where + start


def rfind(text: str, part: str, start: int = 0, end: int = -1) -> int:
    start, end = _bounds(text, start, end)
    where = (_part(text, start, end) if end > start else "").rfind(part)
    return where if where < 0 else where + start


def _found(function: Callable[..., int]) -> Callable[..., int]:
    def result(*arguments: Any) -> int:
        where = function(*arguments)
        if where < 0:
            raise ScriptValueError("ValueError: substring not found")
        return where

    return result


def count(text: str, part: str, start: int = 0, end: int = -1) -> int:
    """Differs: torch never returns for an empty `part`; here it counts the gaps in `text`."""
    if start > len(text):
        return 0
    start, end = _bounds(text, start, end)
    if not part:
        return max(0, min(end, len(text) + 1) - start)
    occurrences, where = 0, text.find(part, start)
    while 0 <= where < end:
        occurrences += 1
        where = text.find(part, where + len(part))
    return occurrences


def starts_with(text: str, part: str, start: int = 0, end: int = -1) -> bool:
    return _part(text, start, end).startswith(part)


def ends_with(text: str, part: str, start: int = 0, end: int = -1) -> bool:
    return _part(text, start, end).endswith(part)


def split(text: str, separator: str | None = None, limit: int = -1) -> list[str]:
    """`limit` counts only where a separator is given. Raises `ScriptValueError`."""
    if separator is None:
        return [part for part in _SPACE.split(text) if part]
    if not separator:
        raise ScriptValueError("ValueError: empty separator")
    return text.split(separator, limit)


def rsplit(text: str, separator: str = " ", limit: int = -1) -> list[str]:
    """Return the parts around `separator`, which is a space by default.

    Raises `ScriptValueError` for an empty separator.
    """
    if not separator:
        raise ScriptValueError("ValueError: empty separator")
    return text.rsplit(separator, limit)


def split_lines(text: str, keep_ends: bool = False) -> list[str]:
    """Return the lines of a text, split at single bytes; with `keep_ends`, ends are items, too."""
    lines: list[str] = []
    begin = 0
    for end in _LINE_END.finditer(text):
        lines.append(text[begin : end.start()])
        if keep_ends:
            lines.append(end[0])
        begin = end.end()
    return [*lines, text[begin:]] if begin != len(text) else lines


def upper(text: str) -> str:
    return text.translate(_UPPER)


def lower(text: str) -> str:
    return text.translate(_LOWER)


def swap_case(text: str) -> str:
    return text.translate(_LOWER | _UPPER)


def capitalize(text: str) -> str:
    return upper(text[:1]) + lower(text[1:])


def title(text: str) -> str:
    result, inside = "", False
    for char in text:
        result += lower(char) if inside else upper(char)
        inside = char in _LETTERS
    return result


def is_title(text: str) -> bool:
    result = inside = False
    for char in text:
        if char != (lower(char) if inside else upper(char)):
            return False
        letter = char in _LETTERS
        result |= letter and not inside
        inside = letter
    return result


def is_upper(text: str) -> bool:
    return any(c in _LETTERS for c in text) and text == upper(text)


def is_lower(text: str) -> bool:
    return any(c in _LETTERS for c in text) and text == lower(text)


def _all_in(characters: str) -> Callable[[str], bool]:
    allowed = frozenset(characters)
    return lambda text: bool(text) and allowed.issuperset(text)


def is_printable(text: str) -> bool:
    return _PRINTABLE.issuperset(text)


def _padded(pad: Callable[[str, int, str], str]) -> Callable[..., str]:
    def result(text: str, width: int, fill: str = " ") -> str:
        if len(fill) != 1:
            raise ScriptError("TypeError: The fill character must be exactly one character long")
        return pad(text, width, fill)

    return result


def _center(text: str, width: int, fill: str) -> str:
    """An odd space goes to the left where `width` is odd."""
    room = max(0, width - len(text))
    left, right = room // 2, (room + 1) // 2
    if width % 2:
        left, right = right, left
    return fill * left + text + fill * right


def zero_fill(text: str, width: int) -> str:
    """Zeros go before the sign."""
    return text.rjust(width, "0")


def expand_tabs(text: str, size: int = 8) -> str:
    """Columns are counted from the beginning of the string, not of the line."""
    result = ""
    for char in text:
        if char != "\t":
            result += char
        elif size > 0:
            result += " " * (size - len(result) % size)
    return result


def replace(text: str, old: str, new: str, limit: int = -1) -> str:
    return text.replace(old, new, limit)


def partition(text: str, separator: str) -> tuple[str, str, str]:
    return text.partition(separator) if separator else ("", "", text)


def rpartition(text: str, separator: str) -> tuple[str, str, str]:
    return text.rpartition(separator) if separator else (text, "", "")


def join(separator: str, parts: list[str]) -> str:
    return separator.join(parts)


def ordinal(text: str) -> int:
    """Return the value of the text's one byte. Raises `ScriptError` for more or fewer."""
    size = length(text)
    if size != 1:
        raise ScriptError(f"String for ord() must be 1 character, found {size}")
    return ord(to_bytes(text))


def character(number: int) -> str:
    """The lowest byte of the number. Raises `ScriptError`."""
    if not 0 <= number < 1114111:
        raise ScriptError(f"chr() arg not in range(0x110000), found {number}")
    return str(from_bytes(chr(number & 0xFF)))


def is_identifier(text: str) -> bool:
    """Return whether there are letters and digits only, and no digit comes first."""
    return text.isalnum() and text.isascii() and not text[0].isdigit()


_BYTEWISE: dict[str, Callable[..., Any]] = {
    "__getitem__.str": item,
    "slice.str": slice_,
    "find": find,
    "rfind": rfind,
    "index.str": _found(find),
    "rindex": _found(rfind),
    "count": count,
    "startswith": starts_with,
    "endswith": ends_with,
    "split.str": split,
    "rsplit": rsplit,
    "splitlines": split_lines,
    "upper": upper,
    "lower": lower,
    "swapcase": swap_case,
    "capitalize": capitalize,
    "title": title,
    "istitle": is_title,
    "isupper": is_upper,
    "islower": is_lower,
    "isdigit": _all_in(string.digits),
    "isdecimal": _all_in(string.digits),
    "isnumeric": _all_in(string.digits),
    "isalpha": _all_in(string.ascii_letters),
    "isalnum": _all_in(string.ascii_letters + string.digits),
    "isidentifier": is_identifier,
    "isspace": _all_in(" \t\n\r\x0b\x0c"),
    "isprintable": is_printable,
    "center": _padded(_center),
    "ljust": _padded(str.ljust),
    "rjust": _padded(str.rjust),
    "zfill": zero_fill,
    "expandtabs": expand_tabs,
    "replace": replace,
    "strip": str.strip,
    "lstrip": str.lstrip,
    "rstrip": str.rstrip,
    "partition": partition,
    "rpartition": rpartition,
    "list": list,
    **{f"{name}.str": getattr(operator, name) for name in ("lt", "le", "gt", "ge")},
}
TABLE: dict[str, Callable[..., Any]] = {
    **{f"aten::{name}": bytewise(function) for name, function in _BYTEWISE.items()},
    "prim::StringIndex": bytewise(item),
    "aten::add.str": concatenate,
    "aten::len.str": length,
    "aten::join": join,
    "aten::ord": ordinal,
    "aten::chr": character,
    "aten::hex": hex,
    "aten::oct": oct,
    "aten::bin": bin,
}
