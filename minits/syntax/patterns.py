"""The builder's methods for `match` and its patterns."""

from __future__ import annotations

from typing import Any, NamedTuple

from minits.syntax import tree
from minits.syntax.builder_part import BuilderPart, Sequence, end_of
from minits.syntax.literals import number_value


class _Entry(NamedTuple):
    """An item of a mapping pattern; without a key it is `**rest`."""

    key: tree.expr | None
    value: Any


class _Keyword(NamedTuple):
    name: str
    pattern: tree.pattern


class PatternBuilder(BuilderPart):
    """A part of `Builder`."""

    def match_stmt(self, children: list[Any], start: int, end: int) -> tree.Match:
        subject = children[1]
        cases = tuple(child for child in children if isinstance(child, tree.match_case))
        if subject.__class__ is Sequence:
            stop = self.tokens.ends[children[2] - 1]
            begin = subject.items[0].range.start
            subject = tree.Tuple(self.at(begin, stop), subject.items)
        return tree.Match(self.at(start, cases[-1].range.end), subject, cases)

    def case_block(self, children: list[Any], start: int, end: int) -> tree.match_case:
        pattern, body = children[1], children[-1]
        guard = children[3] if self.kind(children[2]) == "IF" else None
        return tree.match_case(self.at(start, end_of(body)), pattern, guard, body)

    def open_sequence(self, children: list[Any], start: int, end: int) -> tree.MatchSequence:
        return tree.MatchSequence(self.at(start, end), tuple(children[::2]))

    def single_pattern(self, children: list[Any], start: int, end: int) -> tree.pattern:
        if len(children) == 2:
            return tree.MatchSequence(self.at(start, end), (children[0],))
        only: tree.pattern = children[0]
        return only

    def star_pattern(self, children: list[Any], start: int, end: int) -> tree.MatchStar:
        return tree.MatchStar(self.at(start, end), self._capture(children[1]))

    def _capture(self, token: int) -> str | None:
        name = self.token(token)
        return None if name == "_" else name

    def as_pattern(self, children: list[Any], start: int, end: int) -> tree.MatchAs:
        return tree.MatchAs(self.at(start, end), children[0], self.token(children[2]))

    def or_pattern(self, children: list[Any], start: int, end: int) -> tree.MatchOr:
        return tree.MatchOr(self.at(start, end), tuple(children[::2]))

    def literal_pattern(self, children: list[Any], start: int, end: int) -> tree.pattern:
        where = self.at(start, end)
        first = children[0]
        kind = self.kind(first)
        if kind in ("NONE", "TRUE", "FALSE"):
            value = {"NONE": None, "TRUE": True, "FALSE": False}[kind or ""]
            return tree.MatchSingleton(where, value)
        if kind is None:
            return tree.MatchValue(where, first)
        return tree.MatchValue(where, self._number(children))

    def _number(self, children: list[Any]) -> tree.expr:
        """`-1`, `2`, `-1 + 2j`."""
        starts, ends = self.tokens.starts, self.tokens.ends
        negative = self.kind(children[0]) == "MINUS"
        token = children[1] if negative else children[0]
        number: tree.expr = self._constant(token)
        if negative:
            loc = self.at(starts[children[0]], ends[token])
            number = tree.UnaryOp(loc, "-", number)
        rest = children[2:] if negative else children[1:]
        if not rest:
            return number
        loc = self.at(number.range.start, ends[rest[1]])
        return tree.BinOp(loc, number, self.token(rest[0]), self._constant(rest[1]))

    def _constant(self, token: int) -> tree.Constant:
        where = self.at(self.tokens.starts[token], self.tokens.ends[token])
        return tree.Constant(where, number_value(self.token(token)), None)

    def pattern_name(self, children: list[Any], start: int, end: int) -> tree.expr:
        """A name or a dotted name, as an expression."""
        begin = self.tokens.starts[children[0]]
        name: tree.expr = tree.Name(
            self.at(begin, self.tokens.ends[children[0]]), self.token(children[0])
        )
        for token in children[2::2]:
            name = tree.Attribute(self.at(begin, self.tokens.ends[token]), name, self.token(token))
        return name

    def name_pattern(self, children: list[Any], start: int, end: int) -> tree.pattern:
        """A bare name captures; a dotted one is a value."""
        name = children[0]
        if isinstance(name, tree.Name):
            return tree.MatchAs(self.at(start, end), None, None if name.id == "_" else name.id)
        return tree.MatchValue(self.at(start, end), name)

    def group_pattern(self, children: list[Any], start: int, end: int) -> tree.pattern:
        inner = children[1:-1]
        is_group = len(inner) == 1 and not isinstance(inner[0], tree.MatchStar)
        if is_group:
            only: tree.pattern = inner[0]
            return only
        return tree.MatchSequence(self.at(start, end), tuple(inner[::2]))

    def sequence_pattern(self, children: list[Any], start: int, end: int) -> tree.MatchSequence:
        return tree.MatchSequence(self.at(start, end), tuple(children[1:-1:2]))

    def mapping_pattern(self, children: list[Any], start: int, end: int) -> tree.MatchMapping:
        entries = [child for child in children if isinstance(child, _Entry)]
        keys = tuple(entry.key for entry in entries if entry.key is not None)
        patterns = tuple(entry.value for entry in entries if entry.key is not None)
        rest = next((entry.value for entry in entries if entry.key is None), None)
        return tree.MatchMapping(self.at(start, end), keys, patterns, rest)

    def key_value_pattern(self, children: list[Any], start: int, end: int) -> _Entry:
        """`key: pattern`. Raises `CompileError` where the key is no literal or dotted name."""
        key = children[0]
        if isinstance(key, tree.MatchSingleton):
            return _Entry(tree.Constant(key.range, key.value, None), children[2])
        if not isinstance(key, tree.MatchValue):
            raise self.fault(start, end, "the key of a mapping pattern is a literal or dotted name")
        return _Entry(key.value, children[2])

    def double_star_pattern(self, children: list[Any], start: int, end: int) -> _Entry:
        return _Entry(None, self.token(children[1]))

    def class_pattern(self, children: list[Any], start: int, end: int) -> tree.MatchClass:
        inner = [child for child in children[1:] if child.__class__ is not int]
        patterns = tuple(child for child in inner if not isinstance(child, _Keyword))
        keywords = [child for child in inner if isinstance(child, _Keyword)]
        return tree.MatchClass(
            self.at(start, end),
            children[0],
            patterns,
            tuple(keyword.name for keyword in keywords),
            tuple(keyword.pattern for keyword in keywords),
        )

    def keyword_pattern(self, children: list[Any], start: int, end: int) -> _Keyword:
        return _Keyword(self.token(children[0]), children[2])
