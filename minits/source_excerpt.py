"""The lines of a source text that a diagnostic or a traceback shows, with a range of it marked.

`excerpt` is for a command line, which has named the line already:

        return x.frobnicate() + 1
               ^^^^^^^^^^^^^^

`highlight` is for the text of exceptions, laid out as torch.jit lays it out:

      File "model.py", line 3
    def f(x):
        return x.frobnicate() + 1
               ~~~~~~~~~~~~ <--- HERE

Source: torch/csrc/jit/frontend/source_range.cpp (`print_with_context`).
"""

from __future__ import annotations

import keyword
import re

from minits.source import SourceRange
from minits.terminal_text import in_place

_WIDEST = 160
"""Characters of a line that are shown; what is cut off is marked."""
_CONTEXT = 2
"""Lines that `highlight` shows before and after a range."""


def excerpt(loc: SourceRange) -> list[str]:
    """Return the first line of a range and carets below what the range has of it."""
    source, begin, finish = loc.source, loc.begin, loc.finish
    text = in_place(source.line(begin.line))
    start = source.line_starts[begin.line - source.first_line]
    first = loc.start - start
    last = loc.end - start if finish.line == begin.line else len(text)
    if len(text) > _WIDEST:
        cut = max(0, min(first - _WIDEST // 2, len(text) - _WIDEST))
        before = "..." if cut else ""
        after = "..." if cut + _WIDEST < len(text) else ""
        text = f"{before}{text[cut : cut + _WIDEST]}{after}"
        first, last = (column - cut + len(before) for column in (first, min(last, cut + _WIDEST)))
    return [f"    {text}", f"    {_blank(text[:first])}{'^' * max(1, last - first)}"]


def highlight(loc: SourceRange, function: str = "") -> list[str]:
    """Return the file and line, the source around them, and `~` below the range.

    As in torch, the underline leaves out the brackets that close calls and literals.
    """
    source, begin = loc.source, loc.begin
    end = loc.start + _end_of_last_operand(loc.text, source.is_given_as_text)
    finish = source.position(end)
    header = f'  File "{source.filename}", line {begin.line}'
    lines = [f"{header}, in {function}" if function else header]
    last = source.first_line + len(source.line_starts) - 1
    shown = range(max(source.first_line, begin.line - _CONTEXT), finish.line + _CONTEXT + 1)
    for number in shown[: last - shown.start + 1]:
        text = source.line(number)
        lines.append(text[:_WIDEST])
        if begin.line <= number <= finish.line:
            start = source.line_starts[number - source.first_line]
            mark = _underline(text, loc.start - start, end - start)
            lines.append(f"{mark} <--- HERE" if number == finish.line else mark)
    while not lines[-1].strip():
        lines.pop()
    return lines


def _underline(text: str, first: int, last: int) -> str:
    """Return `~` below the columns from `first` to `last` that a line has, indentation excepted."""
    first = max(first, len(text) - len(text.lstrip()))
    last = min(last, len(text), _WIDEST)
    return _blank(text[:first]) + "~" * max(1, last - first)


def _blank(text: str) -> str:
    """Return white space as wide as the text."""
    return "".join("\t" if char == "\t" else " " for char in text)


def _end_of_last_operand(text: str, is_text: bool, *, in_brackets: bool = False) -> int:
    """Return the offset at which the last operand of an expression's text ends.

    `f(x, [1, 2])` ends at the 2, `g()` at the g, `f("a")` at the a, `x[0]` at its bracket: one
    character after the operand in it, so that `x[f(1)]` ends at its parenthesis. torch's own
    parser, which reads what is given as text, ends `g()` at its bracket and `x[f(1)]` at the last.
    """
    end = len(text)
    while end > 1 and text[end - 1] in ")]}":
        opening = _opening(text, end - 1)
        if text[end - 1] == "]" and _is_subscript(text, opening):
            if is_text:
                return end
            index = text[opening + 1 : end - 1]
            return opening + 2 + _end_of_last_operand(index, is_text, in_brackets=True)
        inner = len(text[: end - 1].rstrip(" \t\r\n,"))
        if inner == opening + 1 and opening > 0:  # nothing in the brackets
            is_call = text[end - 1] == ")" and text[opening - 1] not in " (,="
            return opening if is_call and not is_text else inner
        in_brackets, end = True, inner
    return end - 1 if in_brackets and end > 2 and text[end - 1] in "\"'" else end


def _opening(text: str, closing: int) -> int:
    """Return the offset of the bracket that closes at `closing`; 0 if it opens before the text."""
    depth = 0
    for position in range(closing, -1, -1):
        depth += (text[position] in ")]}") - (text[position] in "([{")
        if depth == 0:
            return position
    return 0


def _is_subscript(text: str, opening: int) -> bool:
    before = text[:opening].rstrip()
    if before[-1:] in (")", "]", '"', "'"):
        return True
    word = re.search(r"\w+$", before)
    return word is not None and not keyword.iskeyword(word[0])
