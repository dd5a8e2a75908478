"""The nodes of patterns, which stand in the cases of a `match`."""

from __future__ import annotations

from minits.syntax.tree.expressions import expr
from minits.syntax.tree.node import Node, node


@node
class pattern(Node):
    """A pattern of a `case`."""


@node
class MatchValue(pattern):
    value: expr


@node
class MatchSingleton(pattern):
    value: bool | None


@node
class MatchSequence(pattern):
    patterns: tuple[pattern, ...]


@node
class MatchMapping(pattern):
    keys: tuple[expr, ...]
    patterns: tuple[pattern, ...]
    rest: str | None


@node
class MatchClass(pattern):
    cls: expr
    patterns: tuple[pattern, ...]
    kwd_attrs: tuple[str, ...]
    kwd_patterns: tuple[pattern, ...]


@node
class MatchStar(pattern):
    name: str | None


@node
class MatchAs(pattern):
    pattern: pattern | None
    name: str | None


@node
class MatchOr(pattern):
    patterns: tuple[pattern, ...]
