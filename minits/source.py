"""Source text and ranges within it.

A `SourceFile` is a text with a name; a `SourceRange` is a half-open interval of character offsets
in one. Everything that a user may have to be pointed to (a tree node, an IR node, a diagnostic)
carries a range.

A function that is compiled from a live object is not cut out of its file and dedented: its
`SourceFile` holds the undedented lines and `first_line` says where they stand in the file, so that
positions are those of the file.
"""

from __future__ import annotations

import errno
import os
import re
import stat
from bisect import bisect_right
from codecs import BOM_UTF8
from pathlib import Path
from typing import NamedTuple

from minits.records import dataclass, field

_LINE_END = r"\r\n?|\n"


class Position(NamedTuple):
    """A line and a column of a file.

    `line` counts from 1; `column` counts UTF-8 bytes from 0, as CPython's `ast` does.
    """

    line: int
    column: int


GIVEN_AS_TEXT = "<string>"
"""The name of what is no file, as torch has it."""


@dataclass(eq=False, slots=True)
class SourceFile:
    """A text to compile.

    `first_line` is the file's line number (1-based) of the first line of `text`.
    """

    filename: str
    text: str
    first_line: int = 1
    _line_starts: list[int] | None = field(default=None, init=False, repr=False)

    @classmethod
    def read(cls, path: str | Path) -> SourceFile:
        """Read a UTF-8 file, newlines kept as they are, without a byte order mark.

        Raises `OSError` and `UnicodeDecodeError`.
        """
        return cls.of_bytes(path, Path(path).read_bytes())

    @classmethod
    def of_bytes(cls, path: str | Path, content: bytes) -> SourceFile:
        """Return the file of a path and its content. Raises `UnicodeDecodeError`."""
        return cls(str(path), content.removeprefix(BOM_UTF8).decode("utf-8"))

    @property
    def is_given_as_text(self) -> bool:
        """Return whether it is no file, but a text that a program gives to be compiled."""
        return self.filename == GIVEN_AS_TEXT

    @property
    def line_starts(self) -> list[int]:
        r"""Offsets at which lines begin.

        `\n`, `\r\n` and `\r` end a line, as in CPython's tokenizer.
        """
        if self._line_starts is None:
            self._line_starts = _line_starts(self.text)
        return self._line_starts

    def position(self, offset: int) -> Position:
        """Return the file position of a character offset of `text`."""
        index = bisect_right(self.line_starts, offset) - 1
        start = self.line_starts[index]
        prefix = self.text[start:offset]
        column = len(prefix) if prefix.isascii() else len(prefix.encode("utf-8", "surrogatepass"))
        return Position(self.first_line + index, column)

    def line(self, number: int) -> str:
        """Return the text of the file's line `number`, without its line end."""
        index = number - self.first_line
        starts = self.line_starts
        end = starts[index + 1] if index + 1 < len(starts) else len(self.text)
        return self.text[starts[index] : end].rstrip("\r\n")


def _line_starts(text: str) -> list[int]:
    return [0, *(match.end() for match in re.finditer(_LINE_END, text))]


def read_regular(path: str | Path) -> bytes:
    """Return the content of a file. Raises `OSError`, also for a pipe, which would be waited for,
    and for whatever else is no file.
    """
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    with os.fdopen(os.open(path, flags), "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError(errno.EINVAL, "It is no regular file", str(path))
        return file.read()


class SourceRange(NamedTuple):
    """The characters `start` to `end` (exclusive) of `source.text`."""

    source: SourceFile
    start: int
    end: int

    @classmethod
    def at(cls, filename: str, line: int, column: int) -> SourceRange:
        """Return a range of which only the beginning is known, such as one read from IR text."""
        blank = SourceFile(filename, " " * (column + 1), first_line=line)
        return cls(blank, column, column + 1)

    @classmethod
    def of_line(cls, filename: str, number: int) -> SourceRange:
        """Return the range of a line without its indentation, empty where it cannot be read."""
        import linecache

        line = linecache.getline(filename, number).rstrip("\n")
        begin = len(line) - len(line.lstrip())
        return cls(SourceFile(filename, line, number), begin, len(line))

    @property
    def text(self) -> str:
        return self.source.text[self.start : self.end]

    @property
    def begin(self) -> Position:
        return self.source.position(self.start)

    @property
    def finish(self) -> Position:
        return self.source.position(self.end)

    def __str__(self) -> str:
        """`file:line:column`, with the 0-based column that torch prints in IR."""
        line, column = self.begin
        return f"{self.source.filename}:{line}:{column}"
