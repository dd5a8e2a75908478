"""The LALR(1) parser: one loop over lark's tables that calls the builder as it reduces.

lark's own loop would make tokens and trees on the way; this one keeps offsets on a stack beside the
values, so that a node knows its range when it is built. Most reductions only pass their child on (a
name is a primary, is a power, is a unary, ... is an expression); what state they end in is found
once for each pair of states and lookahead, and kept.
"""

from __future__ import annotations

from functools import cache
from typing import Any
from unicodedata import normalize

from minits.gc_pause import gc_paused
from minits.source import SourceFile, SourceRange
from minits.syntax.builder import Builder
from minits.syntax.faults import unexpected
from minits.syntax.tables import Rule, Tables, load_tables
from minits.syntax.tokens import Tokens
from minits.syntax.tree import Name


class _Flat(list[Any]):
    """The children of a helper rule, to be spliced into those of the rule that uses it."""

    __slots__ = ()


class _Compiled:
    """The tables with the builder's functions for rules."""

    def __init__(self, tables: Tables) -> None:
        self.number = {symbol: number for number, symbol in enumerate(tables.symbols)}
        self.actions = tables.actions
        self.rules = list(map(_compiled_rule, tables.rules))
        self.after_units: dict[int, int] = {}
        """The state after a goto and a run of unit reductions, by the state below, the state (or
        the symbol) and the lookahead."""


_BUILD, _HELPER, _BINARY, _UNIT, _NAME = range(5)


def _compiled_rule(rule: Rule) -> tuple[int, int, int, Any, bool]:
    """Return (kind of action, origin, length, function, splices) for a reduction."""
    origin = rule.origin
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
    """Return the syntax tree of the tokens. Raises `CompileError` (TS0xx)."""
    with gc_paused():
        return _parse(source, tokens, start)


def _parse(source: SourceFile, tokens: Tokens, start: str) -> Any:
    tables, compiled = load_tables(), _compiled()
    builder = Builder(source, tokens)
    actions, rules, after_units = compiled.actions, compiled.rules, compiled.after_units
    number, new = compiled.number, tuple.__new__
    kinds = [number[kind] for kind in tokens.kinds]
    end_state, end_kind = tables.ends[start], number["$END"]
    kinds.append(end_kind)
    n_symbols = len(number)
    n_pairs = len(actions) * n_symbols
    text = source.text
    begin, finish = [*tokens.starts, len(text)], [*tokens.ends, len(text)]
    state = tables.starts[start]
    states = [state]
    values: list[Any] = []
    starts: list[int] = []
    index = 0
    kind = kinds[0]
    while True:
        action = actions[state].get(kind)
        if action is None:
            raise unexpected(source, tokens, tables, states, index)
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
                word = text[first:end]
                if not word.isascii():
                    word = normalize("NFKC", word)
                values[-1] = Name(new(SourceRange, (source, first, end)), word)
            below = states[-2]
            key = below * n_pairs + state * n_symbols + kind
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
            first = values[-length]
            flat = first if first.__class__ is _Flat else _Flat([first])
            if length == 1:
                values[-1] = flat
            else:
                for child in values[1 - length :]:
                    if child.__class__ is _Flat:
                        flat += child
                    else:
                        flat.append(child)
                del values[1 - length :], starts[1 - length :]
                values[-1] = flat
            del states[-length:]
        else:
            row = _spliced(values[-length:])
            first = starts[-length]
            del states[-length:], values[-length:], starts[-length:]
            values.append(builder.binary(row, first, finish[index - 1]))
            starts.append(first)
        below = states[-1]
        state = actions[below][origin]
        if kind == end_kind and state == end_state:
            if tokens.fault is not None:
                raise tokens.fault
            return values[-1]
        key = below * n_pairs + state * n_symbols + kind
        found = after_units.get(key)
        if found is None:
            found = after_units[key] = _run_of_units(compiled, below, state, kind)
        state = found
        states.append(state)


def _run_of_units(compiled: _Compiled, below: int, state: int, kind: int) -> int:
    """Do reductions that only pass on their child, and return the last state.

    An operand goes through a dozen of them.
    """
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
            flat += child
        else:
            flat.append(child)
    return flat
