"""Messages of syntax errors: the token found, and the tokens that could stand there."""

from __future__ import annotations

from minits.diagnostics import CompileError, error
from minits.edits import Edit, replacing
from minits.source import SourceFile, SourceRange
from minits.syntax.tables import Tables
from minits.syntax.tokens import KEYWORDS, Tokens

_NAMES = {
    "$END": "the end of the text", "NEWLINE": "the end of the line", "INDENT": "an indented block",
    "DEDENT": "the end of the block", "NAME": "a name", "STRING": "a string", "COLON": "':'",
    "COMMA": "','", "RPAR": "')'", "RSQB": "']'", "RBRACE": "'}'", "LPAR": "'('", "EQUAL": "'='",
    "IN": "'in'", "ELSE": "'else'", "IMPORT": "'import'", "EXCEPT": "'except'",
    "FINALLY": "'finally'", "CASE": "'case'", "FOR": "'for'", "DEF": "'def'", "CLASS": "'class'",
}  # fmt: skip
_ORDER = [name for name in _NAMES if name not in ("NAME", "STRING")]
_LIMIT = 4
_NO_COLON = "a ':' is missing at the end of this line"
_ASSIGNED = "'=' is no operator in an expression"
_ELSE_IF = "'else if' is written 'elif'"


def unexpected(
    source: SourceFile, tokens: Tokens, tables: Tables, states: list[int], index: int
) -> CompileError:
    """Return the error for the token at `index`, or the lexer's error if that comes first."""
    at_end = index >= len(tokens.kinds)
    start = len(source.text) if at_end else tokens.starts[index]
    if tokens.fault is not None:
        loc = tokens.fault.diagnostics[0].range
        if at_end or loc is None or loc.start <= start:
            return tokens.fault
    kind = "$END" if at_end else tokens.kinds[index]
    end = start if at_end else tokens.ends[index]
    possible = _possible(tables, states)
    message, fix = _describe(source, tokens, index, kind, source.text[start:end], possible)
    edit = _edit(source, tokens, index, message)
    stop = max(end, min(start + 1, len(source.text)))
    start = min(start, max(len(source.text) - 1, 0))
    loc = SourceRange(source, start, max(stop, start))
    return error(loc, "TS010", message, fix=fix, edit=edit)


def _edit(source: SourceFile, tokens: Tokens, index: int, message: str) -> Edit | None:
    """Return the edit of an error that a few characters mend."""
    if index >= len(tokens.kinds) or not index:
        return None
    start, end = tokens.starts[index], tokens.ends[index]
    before = tokens.ends[index - 1]
    if message == _NO_COLON:
        return replacing(SourceRange(source, before, before), ":")
    if message == _ELSE_IF:
        return replacing(SourceRange(source, tokens.starts[index - 1], end), "elif")
    if message == _ASSIGNED:
        return replacing(SourceRange(source, start, end), "==", is_safe=False)
    return None


def _possible(tables: Tables, states: list[int]) -> set[str]:
    """Return the tokens that the parser could shift next.

    The table of the state also lists tokens that allow only a reduction, after which they fit
    nothing.
    """
    found = {number: tables.symbols[number] for number in tables.actions[states[-1]]}
    tokens = {number: name for number, name in found.items() if name.isupper()}
    return {name for number, name in tokens.items() if _would_shift(tables, states, number)}


def _would_shift(tables: Tables, states: list[int], symbol: int) -> bool:
    is_end = tables.symbols[symbol] == "$END"
    stack = states[-400:]
    while True:
        action = tables.actions[stack[-1]].get(symbol)
        if action is None:
            return False
        if action >= 0:
            return True
        rule = tables.rules[-1 - action]
        if len(stack) <= rule.length:
            return True  # deeper than it pays to look
        del stack[len(stack) - rule.length :]
        goto = tables.actions[stack[-1]].get(rule.origin)
        if goto is None or (is_end and goto in tables.ends.values()):
            return is_end
        stack.append(goto)


def _describe(
    source: SourceFile, tokens: Tokens, index: int, kind: str, text: str, possible: set[str]
) -> tuple[str, str | None]:
    """Return the message and the cure."""
    previous = source.text[tokens.starts[index - 1] : tokens.ends[index - 1]] if index else ""
    if kind == "INDENT":
        return "this line is indented, but no block begins here", "remove the indentation"
    if possible == {"INDENT"}:
        return "an indented block is missing here", "write at least `pass`"
    if kind == "NEWLINE" and "COLON" in possible and previous != ":":
        return _NO_COLON, "add it"
    if kind == "EQUAL" and "COLONEQUAL" in possible:
        return _ASSIGNED, "compare with ==, or assign before"
    if previous in ("print", "exec") and kind in ("STRING", "NAME", "NUMBER"):
        return f"{previous} is a function", f"write {previous}(...)"
    if previous == "else" and kind == "IF":
        return _ELSE_IF, "write elif"
    found = _NAMES[kind] if kind in ("$END", "NEWLINE", "DEDENT") else f"'{text}'"
    if text in KEYWORDS and "NAME" in possible and "NUMBER" not in possible:
        return f"the keyword '{text}' cannot be a name", "use another name"
    expected = _expected(possible)
    for closing in ("RPAR", "RSQB", "RBRACE"):
        if closing in possible:
            bracket = _NAMES[closing].strip("'")
            return f"expected {bracket} but found {found}; {expected} can follow here", None
    return f"found {found}, expected {expected}", None


def _expected(possible: set[str]) -> str:
    words = []
    if {"NAME", "NUMBER", "LPAR"} <= possible:
        words.append("a statement" if "RETURN" in possible else "an expression")
        possible = possible - {"LPAR"}
    elif "NAME" in possible:
        words.append("a name")
    elif "STRING" in possible and "PLUS" not in possible:
        words.append("a string")
    if {"PLUS", "STAR", "SLASH"} <= possible:
        words.append("an operator")
        possible = possible - {"LPAR", "FOR", "IN"}
    words += [_NAMES[name] for name in _ORDER if name in possible]
    words = words[:_LIMIT] or ["something else"]
    return " or ".join(filter(None, [", ".join(words[:-1]), words[-1]]))
