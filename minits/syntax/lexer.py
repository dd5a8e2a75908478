"""From text to tokens: what stands where, and a stack of indentations.

The regular expression of `tokens.py` finds the next token and says nothing of its kind; that is
looked up by the token's text, and a word's second time costs one look-up in a dict.

Source: https://docs.python.org/3/reference/lexical_analysis.html.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from minits.diagnostics import CompileError, error
from minits.edits import Edit, Replacement
from minits.lazily import lazily
from minits.source import SourceFile, SourceRange
from minits.syntax.soft_keywords import decide_case, decide_match, decide_types, decide_with
from minits.syntax.tokens import (
    BRACKETS,
    CLOSES,
    IGNORED_TYPE,
    KEYWORD_AFTER_NUMBER,
    KINDS,
    LINE_START,
    MOST_BLANK,
    NEXT_TOKEN,
    TYPE_COMMENT,
    Special,
    Tokens,
)

if TYPE_CHECKING:
    from minits.syntax.fstrings import Part

scan_fstring: Callable[[SourceFile, int, int], tuple[list[Part], int]] = lazily(
    "minits.syntax.fstrings:scan_fstring"
)
MAX_NESTING = 200
"""Brackets that may be open at once, as in CPython."""
MAX_INDENTATION = 100
"""Blocks that may be nested in each other, as in CPython."""
_NO_TEXT = "save the file as UTF-8 text; it may be UTF-16, or no text at all"
_INSTEAD_OF = {
    "?": "write `a if test else b` for test ? a : b",
    "!": "write `not`",
    "$": "remove it: names have no $",
    **dict.fromkeys("\u2018\u2019", "write '"),
    **dict.fromkeys("\u201c\u201d", 'write "'),
    **dict.fromkeys("\u2013\u2212", "write -"),
    "\u00a0": "write a space",
}
"""Hints on characters that other languages and word processors have."""
_QUOTES = "\u2018\u2019\u201c\u201d"


def tokenize(source: SourceFile, most_blocks: int = MAX_INDENTATION) -> Tokens:
    """Return the tokens of a whole text; `most_blocks` of it may be nested in each other."""
    return _Lexer(source, most_blocks).run()


def tokenize_definition(source: SourceFile) -> Tokens:
    """Return the tokens of a definition whose lines may all be indented; what follows is left out.

    The text of a function that is taken out of its file ends where the file's next line is less
    indented.
    """
    lexer = _Lexer(source)
    line = LINE_START.match(source.text)
    assert line is not None
    lexer.indents = [_width(line[2])]
    return lexer.run()


def tokenize_part(source: SourceFile, start: int, end: int) -> Tokens:
    """Return the tokens between two offsets, as inside brackets: lines do not end."""
    return _Lexer(source).run_inside(start, end)


class _Lexer:
    def __init__(self, source: SourceFile, most_blocks: int = MAX_INDENTATION) -> None:
        self.source = source
        self.most_blocks = most_blocks
        self.text = source.text
        self.tokens = Tokens()
        self.indents = [(0, 0)]
        """Of the blocks around, the widths with tabs of eight columns and of one."""
        self.brackets: list[tuple[str, int]] = []
        self.line_begins = 0
        """The index of the first token of the logical line."""
        self.matches: list[int] = []
        """The indentation depths of the enclosing `match` statements' blocks."""

    def run(self) -> Tokens:
        try:
            self._check_characters()
            begin = 1 if self.text.startswith("\ufeff") else 0
            end = self._scan(self._begin_line(begin), len(self.text))
            self._check_closed(0)
            self._end_line(end)
            for _ in self.indents[1:]:
                self.tokens.add("DEDENT", end, end)
            decide_types(self.tokens, self.text)
        except CompileError as fault:
            self.tokens.fault = fault
            if len(self.tokens.kinds) > self.line_begins and self._is_in_match():
                decide_case(self.tokens, self.text, self.line_begins)
        return self.tokens

    def run_inside(self, start: int, end: int) -> Tokens:
        try:
            self.brackets.append(("{", start))
            self._scan(start, end)
            self._check_closed(1)
        except CompileError as fault:
            self.tokens.fault = fault
        return self.tokens

    def _check_characters(self) -> None:
        offset = self.text.find("\0")
        if offset >= 0:
            raise self._fault(
                offset, "TS002", "the text has a null byte, as no Python file does", fix=_NO_TEXT
            )

    def _scan(self, position: int, limit: int) -> int:
        """The main loop; returns where it ended."""
        tokens, brackets = self.tokens, self.brackets
        add_kind, add_start, add_end = (
            tokens.kinds.append, tokens.starts.append, tokens.ends.append
        )  # fmt: skip
        known = dict(KINDS)
        opening, closing, newline = Special.OPENING, Special.CLOSING, Special.NEWLINE
        while True:
            for found in NEXT_TOKEN.finditer(self.text, position, limit):
                word = found[1]
                start, end = found.span(1)
                kind = known.get(word)
                if kind is None:
                    kind = known[word] = self._kind_of(word, start)
                if kind.__class__ is str:
                    add_kind(kind)
                elif kind is opening:
                    if len(brackets) >= MAX_NESTING:
                        raise self._too_deep(end - 1)
                    brackets.append((word, end - 1))
                    add_kind(BRACKETS[word])
                elif kind is closing:
                    opened = brackets.pop()[0] if brackets else ""
                    if not opened or CLOSES[opened] != word:
                        raise self._mismatch(word, opened, end - 1)
                    add_kind(BRACKETS[word])
                elif kind is newline:
                    if brackets:
                        continue
                    self._end_line(start)
                    position = self._begin_line(end)
                    break
                elif kind is Special.NUMBER:
                    self._check_number(end, limit)
                    add_kind("NUMBER")
                elif kind is Special.FSTRING:
                    position = self._fstring(word, end)
                    break
                elif kind is Special.COMMENT:
                    self._comment(word)
                    continue
                elif kind is Special.JOINED:
                    if end == len(self.text):
                        raise self._unknown("\\", start)
                    continue
                else:
                    return end
                add_start(start)
                add_end(end)

    def _kind_of(self, word: str, start: int) -> str | Special:
        """Return the kind of a word that `KINDS` does not list. Raises `CompileError`."""
        first = word[0]
        if word.isidentifier():
            return "NAME"
        if first in "0123456789" or (first == "." and word != "."):
            return Special.NUMBER
        if first == "#":
            return Special.COMMENT
        if word[-1] in "\"'" and len(word) > 1:
            return Special.FSTRING if word[:-1].isalpha() else "STRING"
        raise self._unknown(word, start)

    # ---- Lines ---------------------------------------------------------------------------------

    def _begin_line(self, position: int) -> int:
        """Skip blank lines and comments, then open or close blocks."""
        line = LINE_START.match(self.text, position)
        assert line is not None
        if "#" in line[1]:
            self._own_line_comment(line[1])
        while line.end(1) - position >= MOST_BLANK:  # perhaps more: re keeps a record of each line
            position = line.end(1)
            line = LINE_START.match(self.text, position)
            assert line is not None
        end = line.end(2)
        width = _width(line[2])
        while line[3] not in ("", "#"):  # a line of nothing but a backslash
            line = LINE_START.match(self.text, line.end())
            assert line is not None
            end, width = line.end(2), width if width[0] else _width(line[2])
        if width[0] < self.indents[0][0] and end < len(self.text) and line[3] != "#":
            return len(self.text)  # the definition ends
        if end < len(self.text) and line[3] != "#":
            self._indent(width, line.start(2), end)
            self.line_begins = len(self.tokens.kinds)
        return end

    def _indent(self, width: tuple[int, int], start: int, end: int) -> None:
        indents = self.indents
        if width == indents[-1]:
            return
        if width[0] > indents[-1][0] and width[1] > indents[-1][1]:
            if len(indents) > self.most_blocks:
                message = f"more than {self.most_blocks} blocks are nested in each other"
                raise self._fault(end, "TS005", message, fix="move inner blocks into functions")
            indents.append(width)
            self.tokens.add("INDENT", start, end)
            return
        while width[0] < indents[-1][0] and len(indents) > 1:
            indents.pop()
            self.tokens.add("DEDENT", end, end)
            while self.matches and self.matches[-1] >= len(indents):
                self.matches.pop()
        if width != indents[-1]:
            is_mixed = width[0] == indents[-1][0] or (width[0] > indents[-1][0]) != (
                width[1] > indents[-1][1]
            )
            message = "this indentation matches no block around it"
            raise self._fault(
                end, "TS005",
                "tabs and spaces are mixed in indentation" if is_mixed else message,
                fix="indent it like the statement that it follows",
            )  # fmt: skip

    def _end_line(self, position: int) -> None:
        tokens, begin = self.tokens, self.line_begins
        if len(tokens.kinds) == begin:
            return
        first = tokens.kinds[begin]
        if first == "NAME":
            if self._is_in_match():
                decide_case(tokens, self.text, begin)
            elif tokens.kinds[-1] == "COLON" and decide_match(tokens, self.text, begin):
                self.matches.append(len(self.indents))
        elif first in ("WITH", "ASYNC"):
            decide_with(tokens, begin + (first == "ASYNC"))
        tokens.add("NEWLINE", position, position)
        self.line_begins = len(tokens.kinds)

    def _is_in_match(self) -> bool:
        """Return whether this line stands directly in a match."""
        return self.matches[-1:] == [len(self.indents) - 1]

    def _comment(self, comment: str) -> None:
        found = re.match(TYPE_COMMENT, comment) if "type:" in comment else None
        if found is not None and self.tokens.kinds and not re.match(IGNORED_TYPE, found[1]):
            self.tokens.type_comments[len(self.tokens.kinds) - 1] = found[1]

    def _own_line_comment(self, blank: str) -> None:
        """Record a comment on a line of its own, which belongs to the function's head before it."""
        if self.tokens.kinds[-1:] == ["NEWLINE"]:
            self._comment(blank.splitlines()[0].strip())

    # ---- Strings, numbers, brackets ------------------------------------------------------------

    def _fstring(self, word: str, end: int) -> int:
        start = end - len(word)
        parts, end = scan_fstring(self.source, start, end - 1)
        self.tokens.fstrings[len(self.tokens.kinds)] = parts
        self.tokens.add("STRING", start, end)
        return end

    def _check_number(self, end: int, limit: int) -> None:
        """`1if x else 2` is Python; `1x` is not."""
        following = self.text[end : end + 1]
        if end < limit and (following.isalnum() or following == "_"):
            if re.compile(KEYWORD_AFTER_NUMBER).match(self.text, end, limit):
                return
            fix = "put an operator or a space between them"
            raise self._fault(end, "TS004", "a number runs into a name", fix=fix)

    def _mismatch(self, bracket: str, opened: str, offset: int) -> CompileError:
        if not opened:
            return self._fault(offset, "TS003", f"'{bracket}' closes nothing", fix="leave it out")
        fix = f"close it with '{CLOSES[opened]}'"
        return self._fault(offset, "TS003", f"'{bracket}' does not close '{opened}'", fix=fix)

    def _check_closed(self, allowed: int) -> None:
        if len(self.brackets) > allowed:
            bracket, offset = self.brackets[-1]
            fix = f"close it with '{CLOSES[bracket]}'"
            raise self._fault(offset, "TS003", f"'{bracket}' is never closed", fix=fix)

    # ---- Faults --------------------------------------------------------------------------------

    def _too_deep(self, offset: int) -> CompileError:
        message = f"more than {MAX_NESTING} brackets are open"
        return self._fault(offset, "TS006", message, fix="give parts of the expression names")

    def _unknown(self, word: str, offset: int) -> CompileError:
        if word in "\"'":
            fix = "close the string on its line, or use triple quotes"
            message = f"expected a valid token but found {word}: this string is never closed"
            return self._fault(offset, "TS007", message, fix=fix)
        if word == "\\":
            fix = "nothing may follow the backslash on its line"
            return self._fault(offset, "TS008", "a stray backslash", fix=fix)
        good = 1
        while good < len(word) and word[:good].isidentifier():
            good += 1
        offset += good - 1
        char = self.text[offset]
        return self._fault(
            offset,
            "TS008",
            f"{char!r} (U+{ord(char):04X}) is no character of Python's syntax",
            fix=_INSTEAD_OF.get(char, "remove it, or put it into a string"),
            edit=self._retyped(char, offset),
        )

    def _retyped(self, char: str, offset: int) -> Edit | None:
        """Return the edit of a quote, dash or space of a word processor: all quotes of the line."""
        if _INSTEAD_OF.get(char, "") not in ("write '", 'write "', "write -", "write a space"):
            return None
        places = [offset]
        if char in _QUOTES:
            ends = re.compile(r"$", re.MULTILINE).search(self.text, offset)
            last = ends.start() if ends else len(self.text)
            places = [n for n in range(offset, last) if self.text[n] in _QUOTES]
        return Edit(
            tuple(
                Replacement(
                    SourceRange(self.source, n, n + 1),
                    " " if char == "\u00a0" else _INSTEAD_OF[self.text[n]][-1],
                )
                for n in places
            )
        )

    def _fault(
        self,
        offset: int,
        code: str,
        message: str,
        fix: str | None = None,
        edit: Edit | None = None,
    ) -> CompileError:
        offset = min(offset, max(len(self.text) - 1, 0))
        loc = SourceRange(self.source, offset, offset + 1)
        return error(loc, code, message, fix=fix, edit=edit)


def _width(space: str) -> tuple[int, int]:
    """Return the columns that indentation reaches, with tabs to multiples of eight, and as one.

    A form feed starts at column 0 again.
    """
    if space.strip(" ") == "":
        return len(space), len(space)
    width = narrow = 0
    for char in space:
        if char == "\f":
            width = narrow = 0
            continue
        width += 8 - width % 8 if char == "\t" else 1
        narrow += 1
    return width, narrow
