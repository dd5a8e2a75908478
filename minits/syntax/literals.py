"""The values of number and string tokens."""

from __future__ import annotations

import re
import unicodedata
from string import ascii_letters

_ESCAPE = (
    r"\\(?:(\r\n|\r|\n)|([\\'\"abfnrtv])|([0-7]{1,3})|x([0-9a-fA-F]{2})"
    r"|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|N\{([^}]*)\}|([xuUN]))"
)
_BYTES_ESCAPE = r"\\(?:(\r\n|\r|\n)|([\\'\"abfnrtv])|([0-7]{1,3})|x([0-9a-fA-F]{2})|(x))"
_SIMPLE = {
    "\\": "\\", "'": "'", '"': '"', "a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r",
    "t": "\t", "v": "\v",
}  # fmt: skip


_ESCAPES = "write it out, or begin the string with r"


class BadLiteral(ValueError):
    """Raised for a token that looks like a literal but is none; the message says why."""

    def __init__(self, message: str, fix: str | None = None) -> None:
        super().__init__(message)
        self.fix = fix


def number_value(text: str) -> int | float | complex:
    """Return the value of a number token. Raises `BadLiteral`."""
    plain = text.replace("_", "")
    if plain[-1] in "jJ":
        return complex(0, float(plain[:-1]))
    if plain[:2].lower() in ("0x", "0b", "0o"):
        return int(plain, 0)
    if plain.isdigit():
        if plain[0] == "0" and plain.strip("0"):
            raise BadLiteral("a decimal number must not start with 0; octal is written 0o...")
        if len(plain) > 4300:
            raise BadLiteral("the number has more than 4300 digits", "write it as a float")
        return int(plain)
    return float(plain)


def split_string(text: str) -> tuple[str, int]:
    """Return the prefix in lower case, and the length of the quote."""
    quoted = text.lstrip(ascii_letters)
    prefix = text[: len(text) - len(quoted)]
    return prefix.lower(), 3 if quoted.startswith(('"""', "'''")) else 1


def string_value(text: str) -> str | bytes:
    """Return the value of a string token that is no f-string. Raises `BadLiteral`."""
    prefix, quote = split_string(text)
    body = text[len(prefix) + quote : len(text) - quote]
    body = body.replace("\r\n", "\n").replace("\r", "\n")
    if "b" in prefix:
        if not body.isascii():
            raise BadLiteral("bytes hold ASCII characters only; write others as \\x..")
        plain = body if "r" in prefix else re.sub(_BYTES_ESCAPE, _replace_byte, body)
        return plain.encode("latin-1")
    return body if "r" in prefix else unescape(body)


def unescape(body: str) -> str:
    """Return a string's text with its escapes replaced. Raises `BadLiteral`."""
    return re.sub(_ESCAPE, _replace, body) if "\\" in body else body


def _replace(match: re.Match[str]) -> str:
    line, simple, octal, hex2, hex4, hex8, name, bad = match.groups()
    if line is not None:
        return ""
    if simple is not None:
        return _SIMPLE[simple]
    if octal is not None:
        return chr(int(octal, 8))
    if name is not None:
        try:
            return unicodedata.lookup(name)
        except KeyError:
            raise BadLiteral(f"there is no character named {name!r}", _ESCAPES) from None
    if bad is not None:
        raise BadLiteral(f"the escape \\{bad} is not complete", _ESCAPES)
    code = int(hex2 or hex4 or hex8, 16)
    if code > 0x10FFFF:
        raise BadLiteral(f"there is no character {match.group()}", _ESCAPES)
    return chr(code)


def _replace_byte(match: re.Match[str]) -> str:
    line, simple, octal, hex2, bad = match.groups()
    if line is not None:
        return ""
    if simple is not None:
        return _SIMPLE[simple]
    if bad is not None:
        raise BadLiteral("the escape \\x is not complete", _ESCAPES)
    return chr(int(octal, 8) & 0xFF if octal is not None else int(hex2, 16))
