"""The pickle streams of archives: protocol 2, of which torch's reader knows some thirty opcodes.

Python's own `pickle` writes what that reader refuses: integers of any length, single elements of
containers, and marks for objects that are not built yet.

Source: torch/csrc/jit/serialization/pickler.cpp.
"""

from __future__ import annotations

import struct
from collections.abc import Hashable

MARK, STOP = b"(", b"."
EMPTY_TUPLE, TUPLE, EMPTY_LIST, APPENDS, EMPTY_DICT, SETITEMS = b")", b"t", b"]", b"e", b"}", b"u"
NEW_OBJECT, BUILD, REDUCE, PERSISTENT_ID = b"\x81", b"b", b"R", b"Q"
_NONE, _TRUE, _FALSE, _FLOAT = b"N", b"\x88", b"\x89", b"G"
_INT_1, _INT_2, _INT_4, _LONG, _STRING, _GLOBAL = b"K", b"M", b"J", b"\x8a\x08", b"X", b"c"
_PUT, _LONG_PUT, _GET, _LONG_GET = b"q", b"r", b"h", b"j"
_SHORT_TUPLES = {0: b")", 1: b"\x85", 2: b"\x86", 3: b"\x87"}


class PickleWriter:
    """A pickle stream: `begin` it, write one value, `finish` it.

    A value can be marked after it was written (`remember`) and written again as a reference
    (`recall`); the reader then makes a single object of both.
    """

    def __init__(self) -> None:
        self._out = bytearray(b"\x80\x02")
        self._memo: dict[Hashable, int] = {}

    def finish(self) -> bytes:
        self.op(STOP)
        return bytes(self._out)

    def op(self, code: bytes) -> None:
        self._out += code

    # ---- References ----------------------------------------------------------------------------

    def remember(self, key: Hashable) -> None:
        """Mark the value that was written last."""
        number = self._memo[key] = len(self._memo)
        self._indexed(_PUT, _LONG_PUT, number)

    def recall(self, key: Hashable) -> bool:
        """Write a reference to the marked value, and return whether there is one."""
        number = self._memo.get(key)
        if number is None:
            return False
        self._indexed(_GET, _LONG_GET, number)
        return True

    def _indexed(self, short: bytes, long: bytes, number: int) -> None:
        if number < 256:
            self._out += short + bytes([number])
        else:
            self._out += long + struct.pack("<I", number)

    # ---- Values --------------------------------------------------------------------------------

    def none(self) -> None:
        self.op(_NONE)

    def boolean(self, value: bool) -> None:
        self.op(_TRUE if value else _FALSE)

    def integer(self, value: int) -> None:
        """Write an integer. Raises `struct.error` if it needs more than 64 bits."""
        if 0 <= value < 1 << 8:
            self._out += _INT_1 + struct.pack("<B", value)
        elif 0 <= value < 1 << 16:
            self._out += _INT_2 + struct.pack("<H", value)
        elif -(1 << 31) <= value < 1 << 31:
            self._out += _INT_4 + struct.pack("<i", value)
        else:
            self._out += _LONG + struct.pack("<q", value)

    def real(self, value: float) -> None:
        self._out += _FLOAT + struct.pack(">d", value)

    def string(self, text: str) -> None:
        key = ("string", text)
        if not self.recall(key):
            content = text.encode("utf-8", "surrogateescape")
            self._out += _STRING + struct.pack("<I", len(content)) + content
            self.remember(key)

    def global_(self, module: str, name: str) -> None:
        """Write the qualified name of a class, or of a function that makes values."""
        key = ("global", module, name)
        if not self.recall(key):
            self._out += _GLOBAL + f"{module}\n{name}\n".encode()
            self.remember(key)

    def tuple_of(self, length: int) -> None:
        """Make a tuple of the last values, of which there are at most three."""
        self.op(_SHORT_TUPLES[length])
