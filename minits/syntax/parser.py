"""The LALR(1) parser: one loop over lark's tables that calls the builder as it reduces.

lark's own loop would make tokens and trees on the way; this one keeps offsets on a stack beside the
values, so that a node knows its range when it is built.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from minits.diagnostics import CompileError, error
from minits.source import SourceFile, SourceRange
from minits.syntax.builder import Builder
from minits.syntax.lexer import Tokens
from minits.syntax.tables import Rule, Tables, load_tables
from minits.syntax.tree import Name


class _Flat:
    """The children of a helper rule, to be spliced into those of the rule that uses it."""

    __slots__ = ("starts", "values")

    def __init__(self) -> None:
        self.values: list[Any] = []
        self.starts: list[int] = []


class _Compiled:
    """The tables with numbers for symbols, and the builder's functions for rules."""

    def __init__(self, tables: Tables) -> None:
        symbols = sorted({symbol for row in tables.actions for symbol in row})
        self.number = {symbol: number for number, symbol in enumerate(symbols)}
        self.actions = [
            {self.number[symbol]: action for symbol, action in row.items()}
            for row in tables.actions
        ]
        self.rules = [_compiled_rule(rule, self.number) for rule in tables.rules]
        self.after_units: dict[int, int] = {}
        """The state after a run of unit reductions, by the states and the lookahead before it."""


_HELPER, _BINARY, _BUILD, _UNIT, _NAME = range(5)


def _compiled_rule(rule: Rule, number: dict[str, int]) -> tuple[int, int, int, Any, bool]:
    """Return (what to do, origin, length, function, splices)."""
    origin = number.get(rule.origin, -1)
    if rule.callback is None and not rule.is_helper:
        return _UNIT, origin, rule.length, None, False
    if rule.is_helper:
        kind = _UNIT if rule.length == 1 and not rule.splices else _HELPER
        return kind, origin, rule.length, None, rule.splices
    if rule.callback == "bitwise":
        return _BINARY, origin, rule.length, None, rule.splices
    if rule.callback == "name":
        return _NAME, origin, rule.length, None, False
    return _BUILD, origin, rule.length, getattr(Builder, rule.callback or ""), rule.splices


@cache
def _compiled() -> _Compiled:
    return _Compiled(load_tables())


def parse(source: SourceFile, tokens: Tokens, start: str) -> Any:
    """Return what the builder makes of the tokens. Raises `CompileError` (TS010)."""
    tables, compiled = load_tables(), _compiled()
    builder = Builder(source, tokens)
    actions, rules, after_units = compiled.actions, compiled.rules, compiled.after_units
    number, new = compiled.number, tuple.__new__
    kinds = [number[kind] for kind in tokens.kinds]
    kinds.append(number["$END"])
    n_states, n_symbols = len(actions), len(number)
    text = source.text
    begin, finish = [*tokens.starts, len(text)], [*tokens.ends, len(text)]
    end_state, end_kind = tables.ends[start], number["$END"]
    state = tables.starts[start]
    states = [state]
    values: list[Any] = []
    starts: list[int] = []
    index = 0
    kind = kinds[0]
    while True:
        action = actions[state].get(kind)
        if action is None:
            raise _unexpected(source, tokens, tables, state, index)
        if action >= 0:
            state = action
            states.append(state)
            values.append(index)
            starts.append(begin[index])
            index += 1
            kind = kinds[index]
            continue
        what, origin, length, function, splices = rules[-1 - action]
        if what >= _UNIT:
            if what == _NAME:
                first, end = starts[-1], finish[index - 1]
                values[-1] = Name(new(SourceRange, (source, first, end)), text[first:end])
            below = states[-2]
            key = (below * n_states + state) * n_symbols + kind
            found = after_units.get(key)
            if found is None:
                found = after_units[key] = _run_of_units(compiled, below, state, kind)
            state = states[-1] = found
            continue
        if what == _BUILD:
            if length:
                first = starts[-length]
                children = values[-length:]
                if splices:
                    children = _spliced(children)
                del states[-length:], values[-length:], starts[-length:]
                values.append(function(builder, children, first, finish[index - 1]))
            else:
                first = begin[index]
                values.append(function(builder, [], first, first))
            starts.append(first)
        elif what == _HELPER:
            del states[-length:]
            _flatten(values, starts, length)
        else:
            row = _Flat()
            _append(row, values, starts, len(values) - length)
            first = starts[-length]
            del states[-length:], values[-length:], starts[-length:]
            values.append(builder.binary(row.values, row.starts, finish[index - 1]))
            starts.append(first)
        state = actions[states[-1]][origin]
        states.append(state)
        if kind == end_kind and state == end_state:
            return values[-1]


def _run_of_units(compiled: _Compiled, below: int, state: int, kind: int) -> int:
    """Follow reductions that only pass their child on: an operand goes through a dozen of them."""
    while True:
        action = compiled.actions[state].get(kind)
        if action is None or action >= 0:
            return state
        what, origin, *_ = compiled.rules[-1 - action]
        if what < _UNIT:
            return state
        state = compiled.actions[below][origin]


def _spliced(children: list[Any]) -> list[Any]:
    flat: list[Any] = []
    for child in children:
        if child.__class__ is _Flat:
            flat += child.values
        else:
            flat.append(child)
    return flat


def _flatten(values: list[Any], starts: list[int], length: int) -> None:
    """Replace the children of a helper by one `_Flat`; its recursion is on the left."""
    first = values[-length]
    if first.__class__ is _Flat:
        flat, begin = first, 1
    else:
        flat, begin = _Flat(), 0
    _append(flat, values, starts, len(values) - length + begin)
    start = starts[-length]
    del values[-length:], starts[-length:]
    values.append(flat)
    starts.append(start)


def _append(flat: _Flat, values: list[Any], starts: list[int], position: int) -> None:
    """Append the values from `position` on, those of helpers one by one."""
    for index in range(position, len(values)):
        child = values[index]
        if child.__class__ is _Flat:
            flat.values += child.values
            flat.starts += child.starts
        else:
            flat.values.append(child)
            flat.starts.append(starts[index])


# ---- Errors ------------------------------------------------------------------------------------

_WORDS = {
    "$END": "the end of the text",
    "NEWLINE": "the end of the line",
    "INDENT": "an indentation",
    "DEDENT": "the end of the block",
}


def _unexpected(
    source: SourceFile, tokens: Tokens, tables: Tables, state: int, index: int
) -> CompileError:
    """Say what stands here and what is missing."""
    kind = tokens.kinds[index] if index < len(tokens.kinds) else "$END"
    start = tokens.starts[index] if index < len(tokens.kinds) else len(source.text)
    end = tokens.ends[index] if index < len(tokens.kinds) else start
    expected = {symbol for symbol in tables.actions[state] if symbol.isupper() or symbol == "$END"}
    text = source.text[start:end]
    found = _WORDS.get(kind, f"'{text}'")
    message, fix = f"unexpected {found}", None
    previous = tokens.kinds[index - 1] if index else ""
    if kind == "INDENT":
        message, fix = "this line is indented, but no block begins here", "remove the indentation"
    elif expected == {"INDENT"}:
        message, fix = "an indented block is missing here", "write at least `pass`"
    elif "COLON" in expected and kind == "NEWLINE" and previous != "COLON":
        message, fix = "a ':' is missing at the end of this line", "add it"
    elif kind in ("NEWLINE", "$END") and "NAME" in expected:
        message = "an expression is missing at the end of this line"
    elif kind == "EQUAL" and "COLONEQUAL" in expected:
        message, fix = "'=' is no operator in an expression", "compare with ==, or assign before"
    elif kind not in _WORDS and kind != text and text.isidentifier() and text.upper() == kind:
        message, fix = f"the keyword '{text}' cannot stand here", "use another name"
    stop = max(end, min(start + 1, len(source.text)))
    start = min(start, max(len(source.text) - 1, 0))
    return error(SourceRange(source, start, max(stop, start)), "TS010", message, fix=fix)
