"""f-strings: where one ends, and its parts.

An expression inside may hold quotes of the same kind, comments and line breaks (PEP 701), so an
f-string is scanned with a stack and not by a regular expression.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from minits.diagnostics import CompileError, error
from minits.source import SourceFile, SourceRange

_QUOTE = re.compile(r"\"\"\"|'''|\"|'")


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
    conversion: int = -1
    spec: list[Text | Field] | None = field(default=None)
    spec_start: int = 0


def end_of_fstring(source: SourceFile, start: int, quote_at: int) -> int:
    """Return the offset after the f-string that starts at `start`. Raises `CompileError`."""
    return _Scanner(source, start, quote_at).end


def parts_of_fstring(source: SourceFile, start: int, quote_at: int) -> list[Text | Field]:
    """Return the parts of the f-string at `start`, whose quote is at `quote_at`."""
    return _Scanner(source, start, quote_at).parts


class _Scanner:
    def __init__(self, source: SourceFile, start: int, quote_at: int) -> None:
        self.source, self.text, self.start = source, source.text, start
        quote = _QUOTE.match(self.text, quote_at)
        assert quote is not None
        self.quote = quote.group()
        self.raw = "r" in self.text[start:quote_at].lower()
        self.parts, end = self._literal(quote.end(), in_spec=False)
        self.end = end + len(self.quote)

    def fault(self, offset: int, message: str, fix: str | None = None) -> CompileError:
        offset = min(offset, len(self.text) - 1)
        where = SourceRange(self.source, offset, offset + 1)
        return error(where, "TS009", message, fix=fix)

    def _literal(self, position: int, in_spec: bool) -> tuple[list[Text | Field], int]:
        """Scan literal text and fields up to the quote, or in a format spec up to `}`."""
        parts: list[Text | Field] = []
        begin = position
        while True:
            if position >= len(self.text):
                raise self.fault(self.start, "this f-string is never closed")
            char = self.text[position]
            if self.text.startswith(self.quote, position):
                if in_spec:
                    raise self.fault(position, "'}' is missing in this f-string")
                break
            if char in "\r\n" and len(self.quote) == 1:
                raise self.fault(self.start, "this f-string is never closed on its line")
            if char == "\\":
                position = self._escape(position)
            elif char in "{}" and self.text[position : position + 2] == char * 2 and not in_spec:
                position += 2
            elif char == "{":
                if position > begin:
                    parts.append(Text(begin, position))
                inner = self._field(position)
                parts.append(inner)
                position = begin = inner.end
            elif char == "}":
                if in_spec:
                    break
                raise self.fault(position, "a single '}' in an f-string", "write '}}' for a brace")
            else:
                position += 1
        if position > begin:
            parts.append(Text(begin, position))
        return parts, position

    def _escape(self, position: int) -> int:
        """Skip an escape; `\\N{...}` is no field."""
        if not self.raw and self.text.startswith("\\N{", position):
            return self.text.find("}", position) + 1 or len(self.text)
        if self.text[position + 1 : position + 2] in ("{", "}"):
            return position + 1
        return position + 2

    def _field(self, start: int) -> Field:
        begin = start + 1
        position = self._expression(begin)
        expression = (begin, position)
        found = Field(start, position, expression)
        if self.text[begin:position].strip() == "":
            raise self.fault(start, "an empty expression in an f-string")
        if self.text[position] == "=":
            after = position + 1
            while self.text[after : after + 1].isspace():
                after += 1
            found.debug = self.text[begin:after]
            position = after
        if self.text[position] == "!":
            kind = self.text[position + 1 : position + 2]
            if kind not in ("r", "s", "a"):
                raise self.fault(position, "a conversion is !r, !s or !a")
            found.conversion = ord(kind)
            position += 2
        if self.text[position : position + 1] == ":":
            found.spec_start = position
            found.spec, position = self._literal(position + 1, in_spec=True)
        if self.text[position : position + 1] != "}":
            raise self.fault(position, "'}' is missing in this f-string")
        if found.debug is not None and found.conversion == -1 and found.spec is None:
            found.conversion = ord("r")
        found.end = position + 1
        return found

    def _expression(self, position: int) -> int:
        """Return where the expression of a field ends: at `}`, `!`, `:` or a debug `=`."""
        depth = 0
        while position < len(self.text):
            char = self.text[position]
            following = self.text[position + 1 : position + 2]
            if char in "\"'":
                position = self._string(position)
                continue
            if char in "([{":
                depth += 1
            elif char in ")]}" and depth:
                depth -= 1
            elif char == "#":
                while position < len(self.text) and self.text[position] not in "\r\n":
                    position += 1
                continue
            elif (depth == 0 and char in "})]:") or (
                depth == 0 and char == "!" and following != "="
            ):
                return position
            elif depth == 0 and char == "=" and following != "=":
                if self.text[position - 1] not in "=!<>":
                    return position
            elif depth == 0 and char == "=" and following == "=":
                position += 1
            position += 1
        raise self.fault(self.start, "this f-string is never closed")

    def _string(self, quote_at: int) -> int:
        """Skip a string inside an expression; it may be an f-string itself."""
        begin = quote_at
        while begin > 0 and self.text[begin - 1].isalpha() and quote_at - begin < 2:
            begin -= 1
        prefix = self.text[begin:quote_at].lower()
        if "f" in prefix:
            return end_of_fstring(self.source, begin, quote_at)
        quote = _QUOTE.match(self.text, quote_at)
        assert quote is not None
        position = quote.end()
        while not self.text.startswith(quote.group(), position):
            if position >= len(self.text):
                raise self.fault(quote_at, "this string is never closed")
            position += 2 if self.text[position] == "\\" else 1
        return position + len(quote.group())
