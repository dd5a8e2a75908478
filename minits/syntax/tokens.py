r"""Tokens: the words and symbols of the language, the numbers, strings and comments.

`NEXT_TOKEN` finds the next one, in its only group. The tokens of a text are three parallel lists
(kind, start, end): a list of objects would cost more than all the rest of the lexer.

Source: https://docs.python.org/3/reference/lexical_analysis.html.
"""

from __future__ import annotations

import re
from enum import Enum, auto
from typing import TYPE_CHECKING

from minits.diagnostics import CompileError
from minits.records import dataclass, field

if TYPE_CHECKING:
    from minits.syntax.fstrings import Part


class Special(Enum):
    """Kinds of text that need more than to be noted down."""

    OPENING = auto()
    CLOSING = auto()
    NEWLINE = auto()
    COMMENT = auto()
    JOINED = auto()
    NUMBER = auto()
    FSTRING = auto()
    END = auto()


KEYWORDS = frozenset(
    "False None True and as assert async await break class continue def del elif else except "
    "finally for from global if import in is lambda nonlocal not or pass raise return try while "
    "with yield".split()
)
BRACKETS = {
    "(": "LPAR", ")": "RPAR", "[": "LSQB", "]": "RSQB", "{": "LBRACE", "}": "RBRACE"
}  # fmt: skip
CLOSES = {"(": ")", "[": "]", "{": "}"}
KINDS: dict[str, str | Special] = {
    **{word: word.upper() for word in KEYWORDS},
    ":": "COLON", ",": "COMMA", ";": "SEMI", ".": "DOT", "...": "ELLIPSIS", "=": "EQUAL",
    ":=": "COLONEQUAL", "->": "ARROW", "+": "PLUS", "-": "MINUS", "*": "STAR", "/": "SLASH",
    "|": "VBAR", "@": "AT", "~": "TILDE", "**": "DOUBLESTAR",
    **dict.fromkeys(("&", "^", "<<", ">>", "%", "//"), "OPERATOR"),
    **dict.fromkeys(("==", "!=", "<", ">", "<=", ">="), "COMPARE"),
    **dict.fromkeys(
        ("+=", "-=", "*=", "/=", "//=", "%=", "@=", "&=", "|=", "^=", ">>=", "<<=", "**="),
        "AUGASSIGN",
    ),
    **dict.fromkeys(CLOSES, Special.OPENING),
    **dict.fromkeys(CLOSES.values(), Special.CLOSING),
    **dict.fromkeys(("\n", "\r\n", "\r"), Special.NEWLINE),
    **dict.fromkeys(("\\\n", "\\\r\n", "\\\r"), Special.JOINED),
    "": Special.END,
}  # fmt: skip
"""The kinds of the texts that can be listed; that of a name or number shows in its characters."""

_LETTER = r"[^\x00-@\[-^`{-\x7f]"  # an ASCII one, "_", or anything beyond ASCII
_WORD_CHAR = r"[^\x00-/:-@\[-^`{-\x7f]"  # CPython too looks closer at words only afterwards
_WORD = rf"{_LETTER}{_WORD_CHAR}*"
_EXPONENT = r"[eE][+-]?[0-9](?:_?[0-9])*"
_DIGITS = r"[0-9](?:_?[0-9])*"
_NUMBER = (
    r"0[xX](?:_?[0-9a-fA-F])+|0[bB](?:_?[01])+|0[oO](?:_?[0-7])+"
    rf"|(?:{_DIGITS}(?:\.(?:{_DIGITS})?)?|\.{_DIGITS})(?:{_EXPONENT})?[jJ]?"
)
_STRING = (
    r"(?:[uU]|[rR][bB]?|[bB][rR]?)?(?:"
    r"\"\"\"[^\\\"]*(?:(?:\\.|\"(?!\"\"))[^\\\"]*)*\"\"\""
    r"|'''[^\\']*(?:(?:\\.|'(?!''))[^\\']*)*'''"
    r"|\"(?!\"\")[^\\\"\r\n]*(?:\\(?:\r\n|.)[^\\\"\r\n]*)*\""
    r"|'(?!'')[^\\'\r\n]*(?:\\(?:\r\n|.)[^\\'\r\n]*)*')"
)
_SYMBOL = (
    r"(?:\*\*|//|>>|<<)=?|\.\.\.|[-+*/%@&|^=!<>:]=|->"
    r"|[-+*/%@&|^~<>()\[\]{},:;=]|\.(?![0-9])"
)
_FSTRING = r"(?:[fF][rR]?|[rR][fF])[\"']"
NEXT_TOKEN = re.compile(
    rf"[ \t\f]*({_WORD}(?!{_WORD_CHAR}|[\"'])|{_SYMBOL}|{_STRING}|\r\n?|\n|{_NUMBER}|#[^\r\n]*"
    rf"|{_FSTRING}|{_WORD}|\\(?:\r\n?|\n)|\Z|.)",
    re.DOTALL,
)
MOST_BLANK = 500
LINE_START = re.compile(
    rf"((?:[ \t\f]*(?:#[^\r\n]*)?(?:\r\n?|\n)){{0,{MOST_BLANK}}})([ \t\f]*)(#|\\(?:\r\n?|\n)|)"
)
TYPE_COMMENT = r"#\s*type:\s*(.*?)\s*$"
IGNORED_TYPE = r"ignore(?![a-zA-Z0-9])"
KEYWORD_AFTER_NUMBER = rf"(?:and|else|for|if|in|is|not|or)(?!{_WORD_CHAR})"


@dataclass(slots=True)
class Tokens:
    """The tokens of a text."""

    kinds: list[str] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    type_comments: dict[int, str] = field(default_factory=dict)
    """Type comments, by the index of the token before each."""
    fstrings: dict[int, list[Part]] = field(default_factory=dict)
    """The parts of the tokens that are f-strings."""
    fault: CompileError | None = None
    """The error that ended the tokens. The parser raises it, unless it finds a fault before."""

    def add(self, kind: str, start: int, end: int) -> None:
        self.kinds.append(kind)
        self.starts.append(start)
        self.ends.append(end)
