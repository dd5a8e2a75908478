"""Pieces of Python: expressions that wait to be used, and how to build syntax trees of them."""

from __future__ import annotations

import ast
import math
from collections.abc import Iterable, Sequence
from typing import Any

from minits.records import dataclass

LOAD, STORE = ast.Load(), ast.Store()
STORED, UNPACKED, WRAPPED = "_d", "_l", "_t"
"""Variables of generated code, whose names no program's have: of an operand and of a list that are
tested before they are read, and of an integer that may leave 64 bits."""
Location = dict[str, Any]
"""`lineno`, `col_offset` and their ends: where in the user's file an expression stands."""


@dataclass(slots=True)
class Code:
    """An expression.

    `reads` are the variables in it. `ordered` says that it may not be moved past another ordered
    one: it may fail, has an effect, or reads what may change. `parts` are operands, kept where
    another form of the expression may be wanted.
    """

    tree: ast.expr
    reads: frozenset[str] = frozenset()
    ordered: bool = False
    depth: int = 0
    parts: tuple[Code, ...] = ()

    @property
    def is_simple(self) -> bool:
        """Return whether it may be evaluated twice: a variable or a constant."""
        return isinstance(self.tree, (ast.Name, ast.Constant))


def variable(name: str, location: Location) -> Code:
    return Code(ast.Name(name, LOAD, **location), frozenset((name,)))


def combine(tree: ast.expr, operands: Iterable[Code], ordered: bool) -> Code:
    """Return the code of an expression made of operands."""
    reads: frozenset[str] = frozenset()
    depth = 0
    for operand in operands:
        reads |= operand.reads
        ordered = ordered or operand.ordered
        depth = max(depth, operand.depth)
    return Code(tree, reads, ordered, depth + 1)


def literal(value: Any, location: Location) -> ast.expr | None:
    """Return a constant, or a fresh list, tuple or dict of constants, as source would write it."""
    if isinstance(value, bool) or value is None or type(value) in (int, str):
        return ast.Constant(value, **location)
    if type(value) is float:
        return ast.Constant(value, **location) if math.isfinite(value) else None
    if type(value) in (list, tuple) and len(value) <= 64:
        items = [literal(item, location) for item in value]
        if any(item is None for item in items):
            return None
        known = [item for item in items if item is not None]
        kind = ast.List if isinstance(value, list) else ast.Tuple
        return kind(known, LOAD, **location)
    return None


def call(function: ast.expr, arguments: Sequence[ast.expr], location: Location) -> ast.Call:
    return ast.Call(function, list(arguments), [], **location)


def method(
    owner: ast.expr, name: str, arguments: Sequence[ast.expr], location: Location
) -> ast.Call:
    return call(ast.Attribute(owner, name, LOAD, **location), arguments, location)


def subscript(tree: ast.expr, index: ast.expr, location: Location) -> ast.Subscript:
    """Return `tree[index]`, for which Python gives no SyntaxWarning.

    It warns of `None[0]`, which stands in branches that no call takes; `(None or None)[0]` is the
    same.
    """
    if isinstance(tree, ast.Constant) and tree.value is None:
        tree = ast.BoolOp(ast.Or(), [tree, tree], **location)
    return ast.Subscript(tree, index, LOAD, **location)


def parsed(text: str, location: Location) -> list[ast.stmt]:
    """Return the statements of a text, all of them at one location."""
    module = ast.parse(text)
    for node in ast.walk(module):
        if "lineno" in node._attributes:
            ast.copy_location(node, ast.Pass(**location))
    return module.body


def negated(tree: ast.expr, location: Location) -> ast.expr:
    """Return `not tree`."""
    if isinstance(tree, ast.UnaryOp) and isinstance(tree.op, ast.Not):
        return tree.operand
    return ast.UnaryOp(ast.Not(), tree, **location)


def between(low: int | None, tree: ast.expr, high: int | None, location: Location) -> ast.expr:
    """Return `low <= tree <= high`, or one half of it."""
    terms = [tree]
    if low is not None:
        terms.insert(0, ast.Constant(low, **location))
    if high is not None:
        terms.append(ast.Constant(high, **location))
    first, *others = terms
    return ast.Compare(first, [ast.LtE() for _ in others], others, **location)


def assign(name: str, tree: ast.expr, location: Location) -> ast.stmt:
    return ast.Assign([ast.Name(name, STORE, **location)], tree, **location)
