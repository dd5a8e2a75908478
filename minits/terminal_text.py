"""Texts of files and of the file system, as a terminal may show them."""

from __future__ import annotations

import re

_STEERING = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)
"""Control characters but for tabs and line ends, those that turn the direction of a text around,
and halves of characters, as which Python reads the bytes of a name that is not UTF-8."""


def printable(text: str) -> str:
    r"""Return a text with escapes, such as `\x1b`, for the characters that steer a terminal."""
    return _STEERING.sub(lambda found: ascii(found[0])[1:-1], text)


def in_place(text: str) -> str:
    """Return a text of the same length with pictures of control characters, such as `␛`."""
    return _STEERING.sub(lambda found: _picture(ord(found[0])), text)


def _picture(code: int) -> str:
    if code < 0x20:
        return chr(0x2400 + code)
    return "\u2421" if code == 0x7F else "\ufffd"
