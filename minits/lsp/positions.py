"""Positions of the protocol: lines from 0, and columns in units that server and client agree on.

    x = "é😀" + y      `y` is at column 11 in UTF-16, 14 in UTF-8, 10 in characters

minits counts characters from the beginning of a text (`SourceRange`), or UTF-8 bytes in a line
(`Position`). Lines end as in `SourceFile`, which is how the protocol has it; `str.splitlines`, and
so pygls, also ends them at form feeds.
"""

from __future__ import annotations

from lsprotocol import types as lsp

from minits.source import SourceFile, SourceRange

_CODECS: dict[str, tuple[str, int]] = {
    lsp.PositionEncodingKind.Utf8: ("utf-8", 1),
    lsp.PositionEncodingKind.Utf16: ("utf-16-le", 2),
    lsp.PositionEncodingKind.Utf32: ("utf-32-le", 4),
}


class Units:
    """The units in which a client counts columns: UTF-16 unless it has asked for others."""

    def __init__(self, encoding: str | None = None) -> None:
        self._codec, self._size = _CODECS[encoding or lsp.PositionEncodingKind.Utf16]

    def offset(self, source: SourceFile, position: lsp.Position) -> int:
        """Return the offset of a position; one outside of the text is moved into it."""
        number: int = position.line
        column: int = position.character
        if number >= len(source.line_starts):
            return len(source.text)
        line = source.line(source.first_line + number)
        units = line.encode(self._codec, "surrogatepass")[: column * self._size]
        return source.line_starts[number] + len(units.decode(self._codec, "ignore"))

    def position(self, source: SourceFile, offset: int, lines_down: int = 0) -> lsp.Position:
        """Return the position of an offset, for a text that has moved some lines down."""
        number = source.position(offset).line
        prefix = source.text[source.line_starts[number - source.first_line] : offset]
        units = len(prefix.encode(self._codec, "surrogatepass")) // self._size
        return lsp.Position(number - 1 + lines_down, units)

    def range(self, loc: SourceRange, lines_down: int = 0) -> lsp.Range:
        """Return a range, for a text that has moved some lines down."""
        return lsp.Range(
            self.position(loc.source, loc.start, lines_down),
            self.position(loc.source, loc.end, lines_down),
        )
