"""Helpers that all parts of the builder share: ranges, the words of tokens, and errors."""

from __future__ import annotations

import re
from typing import Any, NamedTuple
from unicodedata import normalize

from minits.diagnostics import CompileError, error
from minits.source import SourceFile, SourceRange
from minits.syntax import tree
from minits.syntax.strings import build_strings
from minits.syntax.tokens import Tokens

_SEMICOLON = r"(?:[ \t\f]|\\(?:\r\n?|\n))*;"

_new = tuple.__new__  # what a NamedTuple's own constructor calls; these are made by the thousand


class Sequence(NamedTuple):
    """Expressions with commas whose brackets are not known yet."""

    items: tuple[tree.expr, ...]


def end_of(body: tuple[tree.Node, ...]) -> int:
    """Return the offset where a block ends: after its last statement and a semicolon after it."""
    source, _, end = body[-1].range
    if ";" not in source.text:
        return end
    semicolon = re.compile(_SEMICOLON).match(source.text, end)
    return end if semicolon is None else semicolon.end()


class BuilderPart:
    """A part of `Builder`: some of its methods, one for each rule of the grammar."""

    def __init__(self, source: SourceFile, tokens: Tokens) -> None:
        self.source = source
        self.tokens = tokens
        self.text_of_source = source.text

    def at(self, start: int, end: int) -> SourceRange:
        return _new(SourceRange, (self.source, start, end))

    def token(self, index: int) -> str:
        """The word of a token, as Python compares names."""
        tokens = self.tokens
        word = self.text_of_source[tokens.starts[index] : tokens.ends[index]]
        return word if word.isascii() else normalize("NFKC", word)

    def kind(self, child: Any) -> str | None:
        """Return the kind of a child that is a token, else None."""
        return self.tokens.kinds[child] if child.__class__ is int else None

    def fault(self, start: int, end: int, message: str, fix: str | None = None) -> CompileError:
        return error(_new(SourceRange, (self.source, start, end)), "TS010", message, fix=fix)

    def strings(self, children: list[int], start: int, end: int) -> tree.expr:
        return build_strings(self.source, self.tokens, children)
