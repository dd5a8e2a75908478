"""Soft keywords: decisions that need more than one token of lookahead.

`match`, `case` and `type` are keywords where a statement of theirs begins, and names elsewhere;
`with (` opens a list of items if its bracket is closed right before the colon:

    match x:            MATCH NAME COLON        when a deeper `case` follows
    match(x)            NAME LPAR NAME RPAR
    with (a, b): ...    WITH WITH_LPAR ...
    with (a, b) as c:   WITH LPAR ...
"""

from __future__ import annotations

import re
from bisect import bisect_left
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from minits.syntax.tokens import Tokens

_CASE_FOLLOWS = r"[ \t\f]*(?:#[^\r\n]*)?(?:[\r\n]\s*#[^\r\n]*)*[\r\n]\s*case\b"
_TYPE = r"type(?:[ \t\f]|\\\r?\n)+[^\W\d]\w*\s*[=\[\\]"
_OPENING = ("LPAR", "LSQB", "LBRACE")
_CLOSING = ("RPAR", "RSQB", "RBRACE")
_NEVER_AMONG_ITEMS = {"FOR", "ASYNC", "YIELD", "COLONEQUAL"}


def decide_match(tokens: Tokens, text: str, begin: int) -> bool:
    """Return whether the line of tokens from `begin`, ending with a colon, begins a match."""
    if _word(tokens, text, begin) != "match" or len(tokens.kinds) < begin + 3:
        return False
    if not re.compile(_CASE_FOLLOWS).match(text, tokens.ends[-1]):
        return False
    tokens.kinds[begin] = "MATCH"
    return True


def decide_case(tokens: Tokens, text: str, begin: int) -> None:
    """Make `case` a keyword if it begins a line that stands directly in a `match`."""
    if _word(tokens, text, begin) == "case":
        tokens.kinds[begin] = "CASE"


def decide_types(tokens: Tokens, text: str) -> None:
    """Make `type` a keyword where a name follows it: two names in a row are no expression."""
    for found in re.finditer(_TYPE, text) if "type" in text else ():
        index = bisect_left(tokens.starts, found.start())
        while index < len(tokens.starts) and tokens.ends[index] == found.start():
            index += 1  # indentations and line ends, which are empty
        begins_there = tokens.starts[index : index + 1] == [found.start()]
        if begins_there and tokens.kinds[index : index + 2] == ["NAME", "NAME"]:
            tokens.kinds[index] = "TYPE"


def decide_with(tokens: Tokens, begin: int) -> None:
    """Mark the bracket after the `with` at `begin` if it is one around all items."""
    kinds = tokens.kinds
    if kinds[begin : begin + 2] != ["WITH", "LPAR"]:
        return
    depth, inside = 0, []
    for index in range(begin + 1, len(kinds)):
        depth += (kinds[index] in _OPENING) - (kinds[index] in _CLOSING)
        if depth == 0:
            break
        if depth == 1:
            inside.append(kinds[index])
    closes_all = kinds[index + 1 : index + 2] == ["COLON"]
    pairs = set(pairwise(inside))
    has_star = bool({("LPAR", "STAR"), ("COMMA", "STAR")} & pairs)
    is_expression = bool(_NEVER_AMONG_ITEMS & set(inside)) or has_star or len(inside) < 2
    if closes_all and not is_expression:
        kinds[begin + 1] = "WITH_LPAR"


def _word(tokens: Tokens, text: str, index: int) -> str:
    return text[tokens.starts[index] : tokens.ends[index]]
