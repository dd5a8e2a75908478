"""The LALR(1) tables of `grammar/torchscript.lark`, made by lark and kept on disk.

lark needs a third of a second for the tables; reading them back takes a millisecond. They are kept
in the user's cache folder, in the format of `marshal` as Python's compiled modules are, under a
name that holds the hash of the grammar and Python's version; where nothing can be written they are
made anew by each process.
"""

from __future__ import annotations

import contextlib
import hashlib
import marshal
import sys
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from minits.cache_folder import cache_folder
from minits.grammar import read_grammar
from minits.private_files import read_private, write_private

STARTS = ("module", "expression_only", "field")


class Rule(NamedTuple):
    """A production. `callback` names the builder's method; None passes the only child on."""

    origin: int
    length: int
    callback: str | None
    is_helper: bool
    """Whether its children are spliced into those of the rule that uses it."""
    splices: tuple[int, ...]
    """The positions of children that may come from helpers, from the last to the first."""


class Tables(NamedTuple):
    """`actions[state][symbol]`: a state to go to, or `-1 - n` to reduce by `rules[n]`.

    A symbol is the number of its name in `symbols`.
    """

    symbols: list[str]
    actions: list[dict[int, int]]
    rules: list[Rule]
    starts: dict[str, int]
    ends: dict[str, int]


@cache
def load_tables() -> Tables:
    """Return the tables, from the cache if it has them."""
    grammar = read_grammar("torchscript.lark")
    path = None
    with contextlib.suppress(OSError, ValueError, EOFError, TypeError):
        path = _cache_path(grammar)
        return _decode(marshal.loads(read_private(path)))  # what others wrote is not read
    tables = _make(grammar)
    if path is not None:
        _write(path, tables)
    return tables


def _cache_path(grammar: str) -> Path:
    text = f"5\n{sys.implementation.cache_tag}\n{grammar}"
    key = hashlib.sha256(text.encode()).hexdigest()[:20]
    return cache_folder() / f"torchscript-{key}.tables"


def _write(path: Path, tables: Tables) -> None:
    symbols, actions, rules, starts, ends = tables
    plain = (symbols, actions, [tuple(rule) for rule in rules], starts, ends)
    with contextlib.suppress(OSError):
        write_private(path, marshal.dumps(plain))


def _decode(stored: tuple[Any, ...]) -> Tables:
    symbols, actions, rules, starts, ends = stored
    return Tables(symbols, actions, [Rule(*rule) for rule in rules], starts, ends)


def _make(grammar: str) -> Tables:
    from lark import Lark
    from lark.lexer import Lexer

    class NoLexer(Lexer):  # type: ignore[misc]
        def __init__(self, conf: object) -> None:
            """lark wants a lexer; ours feeds the tables directly."""

        def lex(self, *arguments: object) -> Any:
            raise NotImplementedError

    made = Lark(
        grammar,
        parser="lalr",
        lexer=NoLexer,
        start=list(STARTS),
        keep_all_tokens=True,
        maybe_placeholders=False,
    )
    table = made.parser.parser._parse_table
    rules = {rule: number for number, rule in enumerate(made.rules)}
    symbols = sorted({str(symbol) for row in table.states.values() for symbol in row})
    numbers = {symbol: number for number, symbol in enumerate(symbols)}
    actions: list[dict[int, int]] = [{} for _ in table.states]
    for state, row in table.states.items():
        for symbol, (action, argument) in row.items():
            is_shift = action.name == "Shift"
            actions[state][numbers[symbol]] = argument if is_shift else -1 - rules[argument]
    made_rules = [_rule(rule, numbers) for rule in made.rules]
    return Tables(symbols, actions, made_rules, table.start_states, table.end_states)


def _rule(rule: Any, numbers: dict[str, int]) -> Rule:
    origin = rule.origin.name
    length = len(rule.expansion)
    is_helper = origin.startswith("_")
    callback: str | None = str(rule.alias or origin)  # lark's own strings cannot be kept
    if is_helper or (rule.options.expand1 and length == 1 and not rule.alias):
        callback = None
    helpers = [index for index, symbol in enumerate(rule.expansion) if symbol.name.startswith("_")]
    return Rule(numbers.get(origin, -1), length, callback, is_helper, tuple(helpers[::-1]))
