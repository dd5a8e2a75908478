"""Lines of code as HTML: highlighted by pygments, with source ranges marked in them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from markupsafe import Markup, escape
from pygments.lexer import Lexer
from pygments.lexers.c_cpp import CLexer, CppLexer
from pygments.lexers.python import PythonLexer
from pygments.token import Comment, Keyword, Name, Number, String

from minits.report.model import Excerpt, RangeEntry
from minits.source import SourceFile

_CLASSES = ((Keyword, "k"), (String, "s"), (Comment, "c"), (Number, "m"),
            (Name.Function, "f"), (Name.Builtin, "b"))  # fmt: skip
"""The classes in `static/report.css`, by kinds of tokens."""
_LEXERS: dict[str, type[Lexer]] = {"python": PythonLexer, "cpp": CLexer, "cuda": CppLexer}


def highlighted_lines(text: str, language: str) -> list[Markup]:
    """Return the lines of a text. `language`: "python", "cpp" or "cuda"."""
    return _lines(text, language, [-1] * len(text))


def source_lines(excerpt: Excerpt, ranges: dict[int, RangeEntry]) -> list[Markup]:
    """Return the lines of an excerpt, each character marked with the innermost range around it.

    ranges: those of the excerpt's file, by their numbers.
    """
    text = excerpt.text.rstrip("\n")
    source = SourceFile("", text, excerpt.first_line)
    spans = []
    for number, loc in ranges.items():
        start = _offset(source, loc.line, loc.column)
        end = _offset(source, loc.end_line, loc.end_column)
        if start is not None and end is not None:
            spans.append((end - start, start, end, number))
    inner = [-1] * len(text)
    for _, start, end, number in sorted(spans, reverse=True):
        inner[start:end] = [number] * (end - start)
    return _lines(text, "python", inner)


def _offset(source: SourceFile, line: int, column: int) -> int | None:
    """Return the offset of a position in a text; its columns count bytes."""
    index = line - source.first_line
    if not 0 <= index < len(source.line_starts):
        return None
    before = source.line(line).encode("utf-8", "surrogatepass")[:column]
    return source.line_starts[index] + len(before.decode("utf-8", "replace"))


def _lines(text: str, language: str, inner: Sequence[int]) -> list[Markup]:
    """Return the lines of a text; `inner` has the range of each character, or -1."""
    classes = [""] * len(text)
    for start, token, piece in _LEXERS[language]().get_tokens_unprocessed(text):
        name = next((name for kind, name in _CLASSES if token in kind), "")
        classes[start : start + len(piece)] = [name] * len(piece)
    lines = []
    start = 0
    for line in text.split("\n"):
        lines.append(_marked(text, range(start, start + len(line)), classes, inner))
        start += len(line) + 1
    return lines


def _marked(text: str, span: range, classes: Sequence[str], inner: Sequence[int]) -> Markup:
    """Return a part of a text, with an element for each run of characters of one range."""
    parts = []
    for number, offsets in groupby(span, key=inner.__getitem__):
        piece = Markup("").join(
            _coloured("".join([text[offset] for offset in run]), name)
            for name, run in groupby(offsets, key=classes.__getitem__)
        )
        mark = Markup('<span data-i="{}">{}</span>')
        parts.append(piece if number < 0 else mark.format(number, piece))
    return Markup("").join(parts)


def _coloured(text: str, name: str) -> Markup:
    return Markup("<span class={}>{}</span>").format(name, text) if name else escape(text)
