"""The LALR(1) parser: one loop over lark's tables that calls the builder as it reduces.

lark's own loop would make tokens and trees on the way; this one keeps offsets on a stack beside the
values, so that a node knows its range when it is built. Most reductions only pass their child on (a
name is a primary, is a power, is a unary, ... is an expression); what state they end in is found
once for each state, symbol and lookahead, and kept.
"""

from __future__ import annotations

import sys
from enum import Enum, auto
from functools import cache
from typing import Any, NamedTuple
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
        self.tables = tables
        self.number = {symbol: number for number, symbol in enumerate(tables.symbols)}
        self.rules = [_compiled_rule(rule, len(self.number)) for rule in tables.rules[::-1]]
        """By the action that reduces by them, which is negative."""
        self.gotos = [_Gotos(self, below) for below in range(len(tables.actions))]

    def goto(self, below: int, symbol: int, lookahead: int) -> int:
        """Return the state after a symbol, and after the reductions that only pass it on.

        An operand goes through a dozen of them.
        """
        actions = self.tables.actions
        while True:
            state = actions[below][symbol]
            action = actions[state].get(lookahead)
            if action is None or action >= 0 or self.rules[action].does is not _Does.PASS:
                return state
            symbol = self.tables.rules[-1 - action].origin


class _Gotos(dict[int, int]):
    """The states that follow a state, by `_CompiledRule.key` and lookahead; each is found once."""

    __slots__ = ("below", "compiled")

    def __init__(self, compiled: _Compiled, below: int) -> None:
        self.compiled = compiled
        self.below = below

    def __missing__(self, key: int) -> int:
        symbol, lookahead = divmod(key, len(self.compiled.number))
        self[key] = state = self.compiled.goto(self.below, symbol, lookahead)
        return state


class _Does(Enum):
    """Kinds of reductions, by what they put on the stack."""

    BUILD = auto()
    GATHER = auto()
    """The children of a helper rule."""
    PASS = auto()
    """Its only child."""
    NAME = auto()


class _CompiledRule(NamedTuple):
    """A rule as the loop wants it."""

    does: _Does
    key: int
    """`key + lookahead` tells reductions to one symbol before one token from all others."""
    length: int
    children: slice
    """Their range on the stacks; the result takes their place."""
    function: Any
    splices: tuple[int, ...]
    """As in the tables; a helper's first child is not spliced, but grows."""


def _compiled_rule(rule: Rule, n_symbols: int) -> _CompiledRule:
    does, function, splices = _Does.BUILD, None, rule.splices
    if rule.is_helper:
        does = _Does.PASS if rule.length == 1 and not splices else _Does.GATHER
        splices = tuple([position for position in splices if position > 0])
    elif rule.callback is None:
        does = _Does.PASS
    elif rule.callback == "name":
        does = _Does.NAME
    else:
        function = getattr(Builder, rule.callback)
    children = slice(-rule.length if rule.length else sys.maxsize, None)
    key = rule.origin * n_symbols
    return _CompiledRule(does, key, rule.length, children, function, splices)


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
    actions, rules, gotos = tables.actions, compiled.rules, compiled.gotos
    kinds = list(map(compiled.number.__getitem__, tokens.kinds))
    end_state, end_kind = tables.ends[start], compiled.number["$END"]
    kinds.append(end_kind)
    text, new = source.text, tuple.__new__
    begin, finish = [*tokens.starts, len(text)], [*tokens.ends, len(text)]
    build, gather, name = _Does.BUILD, _Does.GATHER, _Does.NAME
    state = tables.starts[start]
    states = [state]
    values: list[Any] = []
    starts: list[int] = []
    index = 0
    kind = kinds[0]
    while True:
        try:
            action = actions[state][kind]
        except KeyError:
            raise unexpected(source, tokens, tables, states, index) from None
        if action >= 0:
            state = action
            states.append(state)
            values.append(index)
            starts.append(begin[index])
            index += 1
            kind = kinds[index]
            continue
        does, key, length, where, function, splices = rules[action]
        if does is build or does is gather:
            children = values[where]
            for position in splices:
                if children[position].__class__ is _Flat:
                    children[position : position + 1] = children[position]
            if does is gather:
                values[where] = (_gathered(children),)
                first = starts[-length]
            elif length:
                first = starts[-length]
                values[where] = (function(builder, children, first, finish[index - 1]),)
            else:
                first = begin[index]
                values.append(function(builder, children, first, first))
            starts[where] = (first,)
            state = gotos[states[-1 - length]][key + kind]
            states[where] = (state,)
            if state == end_state and kind == end_kind:
                if tokens.fault is not None:
                    raise tokens.fault
                return values[-1]
            continue
        if does is name:
            first, end = starts[-1], finish[index - 1]
            word = text[first:end]
            if not word.isascii():
                word = normalize("NFKC", word)
            values[-1] = Name(new(SourceRange, (source, first, end)), word)
        state = states[-1] = gotos[states[-2]][key + kind]


def _gathered(children: list[Any]) -> _Flat:
    first = children[0]
    if first.__class__ is not _Flat:
        return _Flat(children)
    first += children[1:]
    return first
