r"""From text to tokens: one master regular expression, a stack of indentations.

Tokens are three parallel lists (kind, start, end): a list of objects would cost more than all the
rest of the lexer. What one token of lookahead cannot decide is decided here: `match`, `case` and
`type` are keywords where a statement of theirs begins, and `with (` opens a list of items if the
bracket is closed right before the colon.

Source: https://docs.python.org/3/reference/lexical_analysis.html.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from minits.diagnostics import CompileError, error
from minits.source import SourceFile, SourceRange
from minits.syntax.fstrings import end_of_fstring

MAX_NESTING = 200
"""Brackets that may be open at once, as in CPython."""
MAX_INDENTATION = 100

_OPERATORS = {
    "(": "LPAR", ")": "RPAR", "[": "LSQB", "]": "RSQB", "{": "LBRACE", "}": "RBRACE",
    ":": "COLON", ",": "COMMA", ";": "SEMI", ".": "DOT", "...": "ELLIPSIS", "=": "EQUAL",
    ":=": "COLONEQUAL", "->": "ARROW", "+": "PLUS", "-": "MINUS", "*": "STAR", "/": "SLASH",
    "|": "VBAR", "@": "AT", "~": "TILDE", "**": "DOUBLESTAR",
    **dict.fromkeys(("&", "^", "<<", ">>", "%", "//"), "OPERATOR"),
    **dict.fromkeys(("==", "!=", "<", ">", "<=", ">="), "COMPARE"),
    **dict.fromkeys(
        ("+=", "-=", "*=", "/=", "//=", "%=", "@=", "&=", "|=", "^=", ">>=", "<<=", "**="),
        "AUGASSIGN",
    ),
}  # fmt: skip
KEYWORDS = frozenset(
    "False None True and as assert async await break class continue def del elif else except "
    "finally for from global if import in is lambda nonlocal not or pass raise return try while "
    "with yield".split()
)
_KINDS = {**_OPERATORS, **{word: word.upper() for word in KEYWORDS}}

_EXPONENT = r"[eE][+-]?[0-9](?:_?[0-9])*"
_DIGITS = r"[0-9](?:_?[0-9])*"
_NUMBER = (
    r"0[xX](?:_?[0-9a-fA-F])+|0[bB](?:_?[01])+|0[oO](?:_?[0-7])+"
    rf"|(?:{_DIGITS}\.(?:{_DIGITS})?|\.{_DIGITS})(?:{_EXPONENT})?[jJ]?"
    rf"|{_DIGITS}(?:{_EXPONENT}[jJ]?|[jJ])|{_DIGITS}"
)
_STRING = (  # each loop "unrolled": runs of plain characters, with what may stand between them
    r"(?:[uU]|[rR][bB]?|[bB][rR]?)?"
    r"(?:\"\"\"[^\\\"]*(?:(?:\\.|\"(?!\"\"))[^\\\"]*)*\"\"\""
    r"|'''[^\\']*(?:(?:\\.|'(?!''))[^\\']*)*'''"
    r"|\"[^\\\"\r\n]*(?:\\(?:\r\n|.)[^\\\"\r\n]*)*\""
    r"|'[^\\'\r\n]*(?:\\(?:\r\n|.)[^\\'\r\n]*)*')"
)
_SYMBOL = r"[()\[\]{},;~]|:=?|\.\.\.|\.(?![0-9])|==?|->|\*\*?=?|//?=?|>>?=?|<<?=?|!=|[-+%@&|^]=?"
_MASTER = re.compile(  # the commonest first
    rf"[ \t\f]*(?:(?P<name>[^\W\d]\w*(?![\w\"']))|(?P<symbol>{_SYMBOL})"
    rf"|(?P<newline>\r\n|\r|\n)|(?P<number>{_NUMBER})"
    rf"|(?P<fstring>(?:[fF][rR]?|[rR][fF])(?=[\"']))|(?P<string>{_STRING})"
    r"|(?P<comment>#[^\r\n]*)|(?P<joined>\\(?:\r\n|\r|\n))|(?P<end>\Z)"
    r"|(?P<word>[^\W\d]\w*))",  # a keyword right before a quote
    re.DOTALL,
)
_NAME, _SYM, _NEWLINE, _NUM, _FSTRING, _STR, _COMMENT, _JOINED, _END, _WORD = range(1, 11)
_BLANK = re.compile(r"(?:[ \t\f]*(?:#[^\r\n]*)?(?:\r\n|\r|\n))*")
_INDENT = re.compile(r"[ \t\f]*")
_TYPE_COMMENT = re.compile(r"#\s*type:\s*(.*?)\s*$")
_OPEN = {"(": ")", "[": "]", "{": "}"}
_BRACKETS = frozenset("()[]{}")
_SOFT = ("match", "case", "type")


@dataclass(slots=True)
class Tokens:
    """The tokens of a text. `type_comments` are by the index of the token before each."""

    kinds: list[str] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    type_comments: dict[int, str] = field(default_factory=dict)

    def add(self, kind: str, start: int, end: int) -> None:
        self.kinds.append(kind)
        self.starts.append(start)
        self.ends.append(end)


def tokenize(source: SourceFile) -> Tokens:
    """Return the tokens of a whole text. Raises `CompileError` (TS0xx)."""
    if "\0" in source.text:
        where = SourceRange(source, source.text.index("\0"), source.text.index("\0") + 1)
        raise error(where, "TS002", "a null byte", fix="is this a text file?")
    return _Lexer(source).run()


def tokenize_definition(source: SourceFile) -> Tokens:
    """Return the tokens of a definition whose lines may all be indented; what follows is left out.

    The text of a function that is taken out of its file ends where the file's next line is less
    indented.
    """
    lexer = _Lexer(source)
    blank = _BLANK.match(source.text)
    first = _INDENT.match(source.text, blank.end() if blank is not None else 0)
    if first is not None and first.group():
        lexer.indents = [_width(first.group())]
    return lexer.run()


def tokenize_part(source: SourceFile, start: int, end: int) -> Tokens:
    """Return the tokens between two offsets, as inside brackets: lines do not end."""
    return _Lexer(source).run_inside(start, end)


class _Lexer:
    def __init__(self, source: SourceFile) -> None:
        self.source = source
        self.text = source.text
        self.tokens = Tokens()
        self.indents = [0]
        self.brackets: list[tuple[str, int]] = []
        self.line_begins = 0
        """The index of the first token of the logical line."""
        self.matches: list[int] = []
        """How deep the blocks of the `match` statements around are."""

    def run(self) -> Tokens:
        position = 1 if self.text.startswith("\ufeff") else 0
        position = self._begin_line(position)
        end = self._scan(position, len(self.text))
        if self.brackets:
            bracket, offset = self.brackets[-1]
            raise self._fault(offset, "TS003", f"'{bracket}' is never closed")
        self._end_line(end)
        for _ in self.indents[1:]:
            self.tokens.add("DEDENT", end, end)
        return self.tokens

    def run_inside(self, start: int, end: int) -> Tokens:
        self.brackets.append(("{", start))
        self._scan(start, end)
        if len(self.brackets) != 1:
            bracket, offset = self.brackets[-1]
            raise self._fault(offset, "TS003", f"'{bracket}' is never closed")
        return self.tokens

    def _scan(self, position: int, limit: int) -> int:
        """The main loop; returns where it ended."""
        while True:
            position, ended = self._scan_until_jump(position, limit)
            if ended:
                return position

    def _scan_until_jump(self, position: int, limit: int) -> tuple[int, bool]:
        """Read tokens until one after which the expression starts anew elsewhere."""
        text, tokens = self.text, self.tokens
        kinds, starts, ends = tokens.kinds, tokens.starts, tokens.ends
        kind_of = _KINDS.get
        for found in iter(_MASTER.scanner(text, position, limit).match, None):
            group = found.lastindex
            start, position = found.span(group)
            if group in (_NAME, _WORD):
                kinds.append(kind_of(text[start:position], "NAME"))
            elif group == _SYM:
                symbol = text[start:position]
                if symbol in _BRACKETS:
                    self._bracket(symbol, start)
                kinds.append(_KINDS[symbol])
            elif group == _NUM:
                if position < limit and (text[position].isalnum() or text[position] == "_"):
                    raise self._fault(position, "TS004", "a number runs into a name")
                kinds.append("NUMBER")
            elif group == _STR:
                kinds.append("STRING")
            elif group == _NEWLINE:
                if self.brackets:
                    continue
                self._end_line(start)
                return self._begin_line(position), False
            elif group == _FSTRING:
                position = end_of_fstring(self.source, start, position)
                self.tokens.add("STRING", start, position)
                return position, False
            elif group == _COMMENT:
                self._comment(text[start:position])
                continue
            elif group == _JOINED:
                continue
            else:
                return start, True
            starts.append(start)
            ends.append(position)
        raise self._unknown(position)

    # ---- Lines ---------------------------------------------------------------------------------

    def _begin_line(self, position: int) -> int:
        """Skip blank lines and comments, then open or close blocks."""
        blank = _BLANK.match(self.text, position)
        assert blank is not None
        if "#" in blank.group():
            self._own_line_comment(blank.group())
        position = blank.end()
        space = _INDENT.match(self.text, position)
        assert space is not None
        end = space.end()
        if end == len(self.text) or self.text[end] == "#":
            return end
        if self.text.startswith(("\\\n", "\\\r"), end):
            return end
        self._indent(space.group(), position, end)
        self.line_begins = len(self.tokens.kinds)
        return end

    def _indent(self, space: str, start: int, end: int) -> None:
        width = _width(space)
        if width > self.indents[-1]:
            if len(self.indents) > MAX_INDENTATION:
                raise self._fault(end, "TS005", "blocks are nested too deeply")
            self.indents.append(width)
            self.tokens.add("INDENT", start, end)
            return
        while width < self.indents[-1]:
            self.indents.pop()
            self.tokens.add("DEDENT", end, end)
            while self.matches and self.matches[-1] >= len(self.indents):
                self.matches.pop()
        if width != self.indents[-1]:
            raise self._fault(
                end, "TS005", "this indentation matches no block around it",
                fix="indent it like the statement that it follows",
            )  # fmt: skip

    def _end_line(self, position: int) -> None:
        kinds = self.tokens.kinds
        if len(kinds) == self.line_begins:
            return
        if self.text.startswith(_SOFT, self.tokens.starts[self.line_begins]):
            self._decide_soft_keyword(position)
        if kinds[self.line_begins] == "WITH":
            self._decide_with(self.line_begins)
        elif kinds[self.line_begins : self.line_begins + 2] == ["ASYNC", "WITH"]:
            self._decide_with(self.line_begins + 1)
        self.tokens.add("NEWLINE", position, position)
        self.line_begins = len(kinds)

    def _comment(self, comment: str) -> None:
        found = _TYPE_COMMENT.match(comment)
        if found is not None and not found[1].startswith("ignore") and self.tokens.kinds:
            self.tokens.type_comments[len(self.tokens.kinds) - 1] = found[1]

    def _own_line_comment(self, blank: str) -> None:
        """A comment on a line of its own belongs to the head of the function before it."""
        if self.tokens.kinds[-1:] == ["NEWLINE"]:
            first = blank.splitlines()[0].strip() if blank.strip() else ""
            self._comment(first)

    # ---- Soft keywords -------------------------------------------------------------------------

    def _decide_soft_keyword(self, position: int) -> None:
        tokens, begin = self.tokens, self.line_begins
        kinds = tokens.kinds
        word = self.text[tokens.starts[begin] : tokens.ends[begin]]
        if kinds[begin] != "NAME" or word not in _SOFT or len(kinds) < begin + 3:
            return
        if word == "type":
            if kinds[begin + 1] == "NAME" and kinds[begin + 2] in ("EQUAL", "LSQB"):
                kinds[begin] = "TYPE"
        elif kinds[-1] == "COLON" or (word == "case" and "COLON" in kinds[begin:]):
            if word == "case" and self.matches and self.matches[-1] == len(self.indents) - 1:
                kinds[begin] = "CASE"
            elif word == "match" and self._case_follows(position):
                kinds[begin] = "MATCH"
                self.matches.append(len(self.indents))

    def _case_follows(self, position: int) -> bool:
        """Whether the next line is deeper and begins with `case`."""
        blank = _BLANK.match(self.text, position)
        end = blank.end() if blank is not None else position
        following = re.compile(r"([ \t\f]*)case\b").match(self.text, end)
        return following is not None and _width(following[1]) > self.indents[-1]

    def _decide_with(self, begin: int) -> None:
        """Is the bracket after `with` one around all items?"""
        kinds = self.tokens.kinds
        if kinds[begin + 1 : begin + 2] != ["LPAR"]:
            return
        depth, inside = 0, []
        for index in range(begin + 1, len(kinds)):
            kind = kinds[index]
            depth += (kind in ("LPAR", "LSQB", "LBRACE")) - (kind in ("RPAR", "RSQB", "RBRACE"))
            if depth == 0:
                break
            if depth == 1:
                inside.append(kind)
        closes_all = kinds[index + 1 : index + 2] == ["COLON"]
        other = {"FOR", "ASYNC", "YIELD", "COLONEQUAL"} & set(inside)
        if closes_all and not other and len(inside) > 1 and inside[1] != "STAR":
            kinds[begin + 1] = "WITH_LPAR"

    # ---- Brackets and faults -------------------------------------------------------------------

    def _bracket(self, bracket: str, offset: int) -> None:
        if bracket in _OPEN:
            self._open(bracket, offset)
        else:
            self._close(bracket, offset)

    def _open(self, bracket: str, offset: int) -> None:
        if len(self.brackets) >= MAX_NESTING:
            raise self._fault(
                offset, "TS006", f"more than {MAX_NESTING} brackets are open",
                fix="give parts of the expression names",
            )  # fmt: skip
        self.brackets.append((bracket, offset))

    def _close(self, bracket: str, offset: int) -> None:
        if not self.brackets:
            raise self._fault(offset, "TS003", f"'{bracket}' closes nothing")
        opened, _ = self.brackets.pop()
        if _OPEN[opened] != bracket:
            raise self._fault(offset, "TS003", f"'{bracket}' does not close '{opened}'")

    def _unknown(self, position: int) -> CompileError:
        space = _INDENT.match(self.text, position)
        offset = space.end() if space is not None else position
        char = self.text[offset]
        if char in "\"'":
            fix = "close the string on its line, or use triple quotes"
            return self._fault(offset, "TS007", "this string is never closed", fix=fix)
        if char == "\\":
            fix = "nothing may follow the backslash on its line"
            return self._fault(offset, "TS008", "a stray backslash", fix=fix)
        return self._fault(offset, "TS008", f"{char!r} is no character of Python's syntax")

    def _fault(self, offset: int, code: str, message: str, fix: str | None = None) -> CompileError:
        offset = min(offset, max(len(self.text) - 1, 0))
        return error(SourceRange(self.source, offset, offset + 1), code, message, fix=fix)


def _width(space: str) -> int:
    """The column that indentation reaches: tabs go to multiples of eight, a form feed restarts."""
    width = 0
    for char in space:
        if char == " ":
            width += 1
        elif char == "\t":
            width += 8 - width % 8
        else:
            width = 0
    return width
