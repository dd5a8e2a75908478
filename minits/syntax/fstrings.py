"""f-strings: where one ends, and its parts.

    f"a{b!r:>{w}}"
      Text 2..3
       Field 3..13, expression 4..5, conversion "r", spec: [Text 8..9, Field 9..12]

An expression inside may hold quotes of the same kind, comments and line breaks (PEP 701), so an
f-string is scanned with a stack and not by a regular expression.

Source: https://peps.python.org/pep-0701/.
"""

from __future__ import annotations

import re
from typing import TypeAlias

from minits.diagnostics import CompileError, error
from minits.records import dataclass, field
from minits.source import SourceFile, SourceRange

MAX_NESTING = 20
"""f-strings in expressions of f-strings, and formats in formats."""
_END = "end it with the quote that begins it"
_CLOSE = "close the field with '}', or write '{{' for a brace"

_QUOTE = re.compile(r"\"\"\"|'''|\"|'")
_IN_LITERAL = re.compile(r"[\\{}\"'\r\n]")
_IN_EXPRESSION = re.compile(r"[\"'()\[\]{}#:!=]")
_PREFIX = re.compile(r"(?:[fF][rR]?|[rR][fF])\Z")
_COMMENT = re.compile(r"#[^\r\n]*")


@dataclass(slots=True)
class Text:
    """Literal text between two offsets of the source, escapes and doubled braces as written."""

    start: int
    end: int


@dataclass(slots=True)
class Field:
    """`{expression!r:spec}`; the offsets are of the braces and of the expression between them."""

    start: int
    end: int
    expression: tuple[int, int]
    debug: str | None = None
    """The text of the expression with its `=`, to be shown before the value."""
    conversion: int = -1
    spec: list[Part] | None = field(default=None)
    spec_start: int = 0


Part: TypeAlias = "Text | Field"


def scan_fstring(
    source: SourceFile, start: int, quote_at: int, depth: int = 0
) -> tuple[list[Part], int]:
    """Return the parts of the f-string at `start`, whose quote is at `quote_at`, and where it ends.

    Raises `CompileError` (TS009).
    """
    scanner = _Scanner(source, start, quote_at, depth)
    parts, end = scanner.literal(quote_at + len(scanner.quote), 0)
    return parts, end + len(scanner.quote)


class _Scanner:
    def __init__(self, source: SourceFile, start: int, quote_at: int, depth: int) -> None:
        """Begin at the quote. Raises `CompileError` if f-strings are nested too deeply."""
        self.source, self.text, self.start, self.depth = source, source.text, start, depth
        quote = _QUOTE.match(self.text, quote_at)
        assert quote is not None
        self.quote = quote.group()
        self.raw = "r" in self.text[start:quote_at].lower()
        if depth >= MAX_NESTING:
            raise self.fault(start, "f-strings are nested too deeply", "give the inner ones names")

    def fault(self, offset: int, message: str, fix: str | None = None) -> CompileError:
        offset = min(offset, len(self.text) - 1)
        loc = SourceRange(self.source, offset, offset + 1)
        return error(loc, "TS009", message, fix=fix)

    def literal(self, position: int, in_spec: int) -> tuple[list[Part], int]:
        """Scan text and fields up to the quote, or up to `}` inside `in_spec` format specs.

        Raises `CompileError`.
        """
        text, begin = self.text, position
        parts: list[Part] = []
        while True:
            stop = _IN_LITERAL.search(text, position)
            if stop is None:
                raise self.fault(self.start, "this f-string is never closed", _END)
            position, char = stop.start(), stop.group()
            if char in "\"'":
                if text.startswith(self.quote, position):
                    break
                position += 1
            elif char in "\r\n":
                if len(self.quote) == 1:
                    fix = "close the f-string on its line, or use triple quotes"
                    raise self.fault(self.start, "this f-string is never closed on its line", fix)
                position += 1
            elif char == "\\":
                position = self._escape(position)
            elif text.startswith(char * 2, position) and not in_spec:
                position += 2
            elif char == "{":
                if position > begin:
                    parts.append(Text(begin, position))
                inner = self._field(position, in_spec)
                parts.append(inner)
                position = begin = inner.end
            elif in_spec:
                break
            else:
                raise self.fault(position, "a single '}' in an f-string", "write '}}' for a brace")
        if in_spec and char != "}":
            raise self.fault(position, "'}' is missing in this f-string", _CLOSE)
        if position > begin:
            parts.append(Text(begin, position))
        return parts, position

    def _escape(self, position: int) -> int:
        """Skip an escape; `\\N{...}` is no field."""
        if not self.raw and self.text.startswith("\\N{", position):
            return self.text.find("}", position) + 1 or len(self.text)
        if self.text.startswith(("{", "}"), position + 1):
            return position + 1
        return position + (3 if self.text.startswith("\\\r\n", position) else 2)

    def _field(self, start: int, in_spec: int) -> Field:
        text, begin = self.text, start + 1
        if in_spec >= MAX_NESTING:
            raise self.fault(start, "formats are nested too deeply", "give inner ones names")
        position = self._expression(begin)
        found = Field(start, position, (begin, position))
        if _COMMENT.sub("", text[begin:position]).strip() == "":
            raise self.fault(start, "an empty expression in an f-string", "write '{{}}' for braces")
        if text[position] == "=":
            position += 1
            while text[position : position + 1].isspace():
                position += 1
            found.debug = text[begin:position]
        if text.startswith("!", position):
            kind = text[position + 1 : position + 2]
            if kind not in ("r", "s", "a"):
                raise self.fault(position, "a conversion is !r, !s or !a", "write one of these")
            found.conversion = ord(kind)
            position += 2
            while text[position : position + 1].isspace():
                position += 1
        if text.startswith(":", position):
            found.spec_start = position
            found.spec, position = self.literal(position + 1, in_spec + 1)
        if not text.startswith("}", position):
            raise self.fault(position, "'}' is missing in this f-string", _CLOSE)
        if found.debug is not None and found.conversion == -1 and found.spec is None:
            found.conversion = ord("r")
        found.end = position + 1
        return found

    def _expression(self, position: int) -> int:
        """Return the offset where a field's expression ends: at `}`, `!`, `:` or a debug `=`."""
        text, depth = self.text, 0
        while True:
            stop = _IN_EXPRESSION.search(text, position)
            if stop is None:
                raise self.fault(self.start, "this f-string is never closed", _END)
            position, char = stop.start(), stop.group()
            if char in "\"'":
                position = self._string(position)
                continue
            if char == "#":
                comment = _COMMENT.match(text, position)
                position = comment.end() if comment is not None else position + 1
                continue
            if char in "([{":
                depth += 1
            elif char in ")]}" and depth:
                depth -= 1
            elif depth == 0:
                if text[position + 1 : position + 2] == "=" and char in "!=":
                    position += 1
                elif char != "=" or text[position - 1] not in "<>":
                    return position
            position += 1

    def _string(self, quote_at: int) -> int:
        """Skip a string inside an expression; it may be an f-string itself."""
        text, begin = self.text, quote_at
        while text[begin - 1].isalnum() or text[begin - 1] == "_":
            begin -= 1
        if _PREFIX.match(text, begin, quote_at):
            return scan_fstring(self.source, begin, quote_at, self.depth + 1)[1]
        quote = _QUOTE.match(text, quote_at)
        assert quote is not None
        position = quote.end()
        while not text.startswith(quote.group(), position):
            if position >= len(text):
                raise self.fault(quote_at, "this string is never closed", _END)
            position += 2 if text[position] == "\\" else 1
        return position + len(quote.group())
