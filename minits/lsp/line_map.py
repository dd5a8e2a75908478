"""Positions in a text that has changed since it was analysed.

Lines before the first change stand where they stood, and lines after the last one have moved
together; of the lines between them, nothing is known.
"""

from __future__ import annotations

from itertools import takewhile

from minits.source import Position, SourceFile


class LineMap:
    """The lines that two versions of a text have in common at their beginning and their end."""

    def __init__(self, old: SourceFile, new: SourceFile) -> None:
        before, after = _lines(old), _lines(new)
        self.same = _common(before, after)
        self.moved_by = len(after) - len(before)
        rest = min(len(before), len(after)) - self.same
        self.tail = min(rest, _common(before[::-1], after[::-1]))
        self._length = len(after)

    def to_old(self, position: Position) -> Position | None:
        """Return a position of the new text in the old one, None for a line that has changed."""
        if position.line <= self.same:
            return position
        if position.line > self._length - self.tail:
            return Position(position.line - self.moved_by, position.column)
        return None

    def lines_down(self, line: int) -> int | None:
        """Return how far a line of the old text has moved down, None if it has changed."""
        if line <= self.same:
            return 0
        return self.moved_by if line > self._length - self.moved_by - self.tail else None


def _lines(source: SourceFile) -> list[str]:
    starts = source.line_starts
    return [source.text[a:b] for a, b in zip(starts, [*starts[1:], None], strict=True)]


def _common(first: list[str], second: list[str]) -> int:
    pairs = zip(first, second, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
