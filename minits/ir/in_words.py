"""Values as people know them: `rest`, `boxes[rest]`, "the result of aten::index"; never `%103`."""

from __future__ import annotations

import re

from minits.ir.graph import Node, Value
from minits.ir.places import calls_of, place_in_program
from minits.source import SourceRange

LONGEST = 60
"""Characters of the text of an expression, which is not shown if it is longer."""


def in_words(value: Value) -> str:
    """Return the name of a value's variable, or the text of its expression, in backticks.

    Where the value has neither, the operator that gives it is named.
    """
    if value.has_name:
        variable = re.sub(r"[.]\d+$", "", value.name)
        return f"`{variable}`"
    loc = _place(value.node)
    text = "" if loc is None else _expression(loc)
    if text and "\n" not in text and len(text) <= LONGEST:
        return f"`{text}`"
    if value.node.kind == "prim::Param":
        return "an argument"
    return f"the result of {value.node.kind}"


def _place(node: Node) -> SourceRange | None:
    """Return the range of a node in the program: of the call, if it is inside a library."""
    calls = calls_of(node)
    ranges = [*calls, node.range] if node.range is not None else calls
    return place_in_program(ranges[-1], calls) if ranges else None


def _expression(loc: SourceRange) -> str:
    """Return the text of an expression; the range of a call ends before its arguments."""
    is_call = loc.source.text[loc.end : loc.end + 1] == "("
    return loc.text.strip() + ("(...)" if is_call else "")
