"""The LALR(1) tables of `grammar/torchscript.lark`, made by lark and kept on disk.

lark needs a third of a second for the tables; reading them back takes a few milliseconds. They are
kept as JSON in the user's cache folder under a name that holds the hash of the grammar and lark's
version; where nothing can be written they are made anew by each process.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import tempfile
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from minits.grammar import read_grammar

STARTS = ("module", "expression_only", "field")


class Rule(NamedTuple):
    """A production. `callback` names the builder's method; None passes the only child on."""

    origin: str
    length: int
    callback: str | None
    is_helper: bool
    """Its children are spliced into those of the rule that uses it."""
    splices: bool
    """Some children may come from helpers."""


class Tables(NamedTuple):
    """`actions[state][symbol]`: a state to go to, or `-1 - n` to reduce by `rules[n]`."""

    actions: list[dict[str, int]]
    rules: list[Rule]
    starts: dict[str, int]
    ends: dict[str, int]


@cache
def load_tables() -> Tables:
    """Return the tables, from the cache if it has them."""
    grammar = read_grammar("torchscript.lark")
    path = None
    with contextlib.suppress(OSError, ValueError, KeyError, TypeError, RuntimeError):
        path = _cache_path(grammar)
        return _decode(json.loads(path.read_text(encoding="utf-8")))
    tables = _make(grammar)
    if path is not None:
        _write(path, tables)
    return tables


def _cache_path(grammar: str) -> Path:
    from importlib.metadata import version

    key = hashlib.sha256(f"3\n{version('lark')}\n{grammar}".encode()).hexdigest()[:20]
    root = (
        os.environ.get("XDG_CACHE_HOME") or Path("~/.cache").expanduser()
    )  # RuntimeError: no home
    return Path(root) / "minits" / f"torchscript-{key}.json"


def _write(path: Path, tables: Tables) -> None:
    """Write atomically: two processes may do so at once."""
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(
            "w", dir=path.parent, suffix=".tmp", delete=False, encoding="utf-8"
        ) as file:
            json.dump(tables._asdict(), file)
        Path(file.name).replace(path)


def _decode(stored: dict[str, Any]) -> Tables:
    rules = [Rule(*rule) for rule in stored["rules"]]
    return Tables(stored["actions"], rules, stored["starts"], stored["ends"])


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
    numbers = {rule: number for number, rule in enumerate(made.rules)}
    actions: list[dict[str, int]] = [{} for _ in table.states]
    for state, row in table.states.items():
        for symbol, (action, argument) in row.items():
            is_shift = action.name == "Shift"
            actions[state][symbol] = argument if is_shift else -1 - numbers[argument]
    return Tables(actions, list(map(_rule, made.rules)), table.start_states, table.end_states)


def _rule(rule: Any) -> Rule:
    origin = rule.origin.name
    length = len(rule.expansion)
    is_helper = origin.startswith("_")
    callback: str | None = rule.alias or origin
    if is_helper or (rule.options.expand1 and length == 1 and not rule.alias):
        callback = None
    splices = any(symbol.name.startswith("_") for symbol in rule.expansion)
    return Rule(origin, length, callback, is_helper, splices)
