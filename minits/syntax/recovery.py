"""Recovery from syntax errors: the statement at fault is taken out, and the rest is read again.

    def f(x)              if 1:                     the head of a block stays one
        y = x +1)     ->      y = x +1)         ->  the next error
    def g(:

Lines keep their numbers, so that an error found later has its place in the file. Where what follows
may be part of the error (a text in triple quotes that is never closed), recovery ends.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise

from minits.diagnostics import CompileError, Diagnostic
from minits.records import replace
from minits.source import SourceFile, SourceRange
from minits.syntax.lexer import tokenize

_MOST = 20
"""Errors that are looked for."""
_FINAL = ("TS001", "TS002", "TS006", "TS116")
"""Errors after which nothing more is known."""
_NO_BLOCK = "an indented block is missing"
_HEADS = re.compile(r"(?:async\s+)?(def|class|if|for|while|with|try|else|elif|except|finally)\b")
_KEPT = {"elif": "elif 1:", "else": "else:", "except": "except:", "finally": "finally:",
         "try": "try:"}  # fmt: skip
"""Heads that other lines need, as they are written in the place of faulty ones."""


def every_fault(
    source: SourceFile, first: CompileError, parse: Callable[[SourceFile], object]
) -> CompileError:
    """Return the error of a file with further syntax errors that it has, besides the first.

    parse: reads a file, and raises `CompileError` at its first syntax error.
    """
    found = [*first.diagnostics]
    text, fault = source.text, first
    reached = -1
    while len(found) < _MOST:
        changed = SourceFile(source.filename, text, source.first_line)
        lines = _Lines(changed, fault.diagnostics[0])
        if lines.is_final or lines.first <= reached:
            break
        reached, text = lines.last, lines.mended()
        changed = SourceFile(source.filename, text, source.first_line)
        try:
            parse(changed)
        except CompileError as next_fault:
            fault = next_fault
        else:
            break
        told = fault.diagnostics[0]
        if told.range is None or _line(changed, told.range.start) <= reached:
            break
        found.append(replace(told, range=_moved(told.range, source)))
    return type(first)(found)


def _line(source: SourceFile, offset: int) -> int:
    return source.position(offset).line - source.first_line


def _moved(loc: SourceRange, source: SourceFile) -> SourceRange:
    """Return a range at the same line and column of another text."""

    def offset(old: int) -> int:
        line = _line(loc.source, old)
        return source.line_starts[line] + old - loc.source.line_starts[line]

    return SourceRange(source, offset(loc.start), offset(loc.end))


class _Lines:
    """The lines `first` to `last` (from 0, inclusive) that an error makes unreadable."""

    def __init__(self, source: SourceFile, fault: Diagnostic) -> None:
        starts = source.line_starts
        self.lines = [
            source.text[start:end] for start, end in pairwise([*starts, len(source.text)])
        ]
        offset = fault.range.start if fault.range else 0
        at = _line(source, offset)
        self.is_final = (
            fault.range is None
            or fault.code in _FINAL
            or not 0 <= at < len(self.lines)
            or (fault.code == "TS007" and source.text.startswith(('"""', "'''"), offset))
        )
        self.says_else_if = "'else if'" in fault.message
        self.first, self.last = at, at
        self.head: re.Match[str] | None = None
        if not self.is_final:
            self._find(source, fault, offset)

    def _find(self, source: SourceFile, fault: Diagnostic, offset: int) -> None:
        at = self.first
        if fault.code == "TS005" or fault.message.startswith("this line is indented"):
            self._take_block(self._indentation(self.first) or 1)
            return
        tokens = tokenize(source)
        ends = [
            start
            for kind, start in zip(tokens.kinds, tokens.starts, strict=True)
            if kind == "NEWLINE"
        ]
        before = [end for end in ends if end < offset]
        if fault.message.startswith(_NO_BLOCK):
            offset = before.pop() if before else 0
        begin = before[-1] if before else -1
        self.first = _line(source, begin) + 1 if before else 0
        while self._is_blank(self.first) and self.first < _line(source, offset):
            self.first += 1
        self.head = _HEADS.match(self.lines[self.first].lstrip())
        after = [end for end in ends if end >= offset]
        self.last = _line(source, after[0]) if after else self._guessed_end(at)
        while self.first and self.lines[self.first - 1].lstrip().startswith("@"):
            self.first -= 1  # decorators of a definition

    def _guessed_end(self, at: int) -> int:
        """Return the last line of a statement whose brackets do not match at the line `at`."""
        last = self.first
        if self.head is not None:
            while last + 1 < len(self.lines) and not self._ends_head(last):
                last += 1
            return last if self._ends_head(last) else at
        width = self._indentation(self.first)
        while last + 1 < len(self.lines):
            following = self.lines[last + 1]
            is_closing = following.lstrip()[:1] in (")", "]", "}")
            if not (is_closing or self._indentation(last + 1) > width):
                break
            last += 1
        return last

    def _ends_head(self, line: int) -> bool:
        return self.lines[line].partition("#")[0].rstrip().endswith(":")

    def _take_block(self, width: int) -> None:
        """Take all lines that are as far indented as the first one."""
        while self.last + 1 < len(self.lines) and (
            self._is_blank(self.last + 1) or self._indentation(self.last + 1) >= width
        ):
            self.last += 1

    def _indentation(self, line: int) -> int:
        text = self.lines[line].expandtabs()
        return len(text) - len(text.lstrip())

    def _is_blank(self, line: int) -> bool:
        return not self.lines[line].partition("#")[0].strip()

    def mended(self) -> str:
        """Return the text with `pass`, or the head of a block, in the place of the lines."""
        lines = list(self.lines)
        for number in range(self.first, self.last + 1):
            text = lines[number]
            lines[number] = text[len(text.rstrip("\r\n")) :]
        indentation = re.match(r"\s*?(?=\S|$)", self.lines[self.first])
        margin = indentation[0] if indentation else ""
        following = self.last + 1
        while following < len(lines) and self._is_blank(following):
            following += 1
        has_block = following < len(lines) and (
            self._indentation(following) > self._indentation(self.first)
        )
        if self.head is not None and has_block:
            head = "elif" if self.says_else_if else self.head[1]
            stands_for = _KEPT.get(head, "if 1:")
        else:
            stands_for = "pass"
        if self.head is None and (has_block or self._is_in_no_block(margin)):
            stands_for = ""
        lines[self.first] = (margin + stands_for if stands_for else "") + lines[self.first]
        return "".join(lines)

    def _is_in_no_block(self, margin: str) -> bool:
        """Return whether the lines are indented as no block around them is."""
        before = next((n for n in range(self.first - 1, -1, -1) if not self._is_blank(n)), None)
        if before is None:
            return bool(margin)
        return self._indentation(self.first) > self._indentation(before) and not self._ends_head(
            before
        )
