"""The origin of a variable's type: its annotation, its default, or the lines that assign it."""

from __future__ import annotations

from collections.abc import Sequence

from minits.queries.record import Reading, Typed, target_names
from minits.source import SourceRange
from minits.syntax import tree
from minits.types import types as t

Reaching = tuple["tree.stmt | None", ...]
"""The assignments whose values a variable may have; None stands for what a parameter was given."""


def origin_of(reading: Reading, typed: Typed) -> str:
    """Return where the type of a variable or parameter comes from; empty for other expressions."""
    match typed.node:
        case tree.arg() as parameter:
            return _of_parameter(parameter, typed)
        case tree.Name() if typed.value is None:
            return _of_target(reading, typed)
        case tree.Name(id=name):
            return _of_use(reading, typed, name)
        case tree.Attribute(value=tree.Name(id="self")):
            return "an attribute of the object that is compiled"
    return ""


def _of_parameter(parameter: tree.arg, typed: Typed) -> str:
    line = parameter.range.begin.line
    if parameter.annotation is not None:
        return f"a parameter, annotated in line {line}"
    if parameter.arg == "self":
        return "the object that is compiled"
    if typed.type == t.TENSOR:
        return f"a parameter without an annotation (line {line}), which is a Tensor"
    return f"a parameter without an annotation (line {line}): by its default, or by a type comment"


def _of_target(reading: Reading, typed: Typed) -> str:
    for node in tree.walk(reading.definition):
        if isinstance(node, tree.AnnAssign) and node.target.range == typed.range:
            return "annotated here"
    return "inferred from what is assigned"


def _of_use(reading: Reading, typed: Typed, name: str) -> str:
    """Return the lines that may have assigned a variable last, or its parameter."""
    found = _Reaching(reading, name, typed.range).at_use()
    statements = [each for each in found if each is not None]
    lines = list(dict.fromkeys(str(each.range.begin.line) for each in statements))
    is_annotated = bool(statements) and isinstance(statements[-1], tree.AnnAssign)
    texts = [f"{'annotated' if is_annotated else 'assigned'} in line {' or '.join(lines)}"]
    if None in found:
        texts = texts if statements else []
        for each in reading.typed:
            if isinstance(each.node, tree.arg) and each.node.arg == name:
                texts.insert(0, _of_parameter(each.node, each))
    return ", or ".join(texts)


def _assigns(statement: tree.stmt, name: str) -> bool:
    return any(target.id == name for target in target_names(statement))


def _holds(outer: SourceRange, inner: SourceRange) -> bool:
    return outer.start <= inner.start and inner.end <= outer.end


class _Reaching:
    """The assignments of a variable that reach a use: by the branches that are compiled."""

    def __init__(self, reading: Reading, name: str, use: SourceRange) -> None:
        self._body = reading.definition.body
        self._truths = {test.range: test.truth for test in reading.tests}
        self._name, self._use = name, use

    def at_use(self) -> Reaching:
        return self._inside(self._body, (None,))

    def _inside(self, body: Sequence[tree.stmt], before: Reaching) -> Reaching:
        """Return the assignments of a body with the use in it, and before it, that reach it."""
        for statement in body:
            if _holds(statement.range, self._use):
                return self._inside_statement(statement, before)
            before = self._after(statement, before)
        return before

    def _inside_statement(self, statement: tree.stmt, before: Reaching) -> Reaching:
        for block in self._blocks(statement):
            first, last = block[0].range, block[-1].range
            if not first.start <= self._use.start < last.end:
                continue
            if _assigns(statement, self._name):
                return self._inside(block, (statement,))
            if isinstance(statement, (tree.For, tree.While)):  # or by an iteration before
                before = _joined(before, self._after(statement, before))
            return self._inside(block, before)
        return before

    def _after(self, statement: tree.stmt, before: Reaching) -> Reaching:
        """Return the assignments that may have been the last after a statement."""
        blocks = self._blocks(statement)
        start = (statement,) if _assigns(statement, self._name) else before
        after = [self._after_all(block, start) for block in blocks]
        if isinstance(statement, tree.If):
            is_decided = self._truths.get(statement.test.range) is not None
            has_both = is_decided or bool(statement.body and statement.orelse)
            return _joined(*after) if after and has_both else _joined(before, *after)
        if isinstance(statement, (tree.For, tree.While)):
            return _joined(before, *after)
        return after[-1] if after else start

    def _after_all(self, body: Sequence[tree.stmt], before: Reaching) -> Reaching:
        for statement in body:
            before = self._after(statement, before)
        return before

    def _blocks(self, statement: tree.stmt) -> list[Sequence[tree.stmt]]:
        """Return the blocks of a statement that are compiled, but for empty ones."""
        match statement:
            case tree.If(body=body, orelse=orelse):
                truth = self._truths.get(statement.test.range)
                taken = {True: [body], False: [orelse], None: [body, orelse]}[truth]
                return [block for block in taken if block]
            case tree.For(body=body) | tree.While(body=body) | tree.With(body=body):
                return [body]
        return []


def _joined(*ways: Reaching) -> Reaching:
    found = {-1 if each is None else each.range.start: each for way in ways for each in way}
    return tuple(found[start] for start in sorted(found))
