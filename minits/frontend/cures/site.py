"""The place of an error in the tree of its function."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from minits.diagnostics import Diagnostic
from minits.edits import Edit
from minits.source import SourceRange
from minits.syntax import tree


class Cure(NamedTuple):
    """The words on how to write it instead, and the edit that does so."""

    fix: str | None
    edit: Edit | None = None


class Site:
    """The smallest node that covers an error's range, and the nodes around it."""

    def __init__(self, definition: tree.FunctionDef, path: list[tree.Node]) -> None:
        self.definition = definition
        self.path = path
        """From the inside out; the function is the last."""

    @property
    def node(self) -> tree.Node:
        return self.path[0]

    @property
    def parent(self) -> tree.Node | None:
        return self.path[1] if len(self.path) > 1 else None

    def around(self, node: tree.Node) -> tree.Node | None:
        """Return the node around one of the path."""
        index = next(i for i, each in enumerate(self.path) if each is node)
        return self.path[index + 1] if index + 1 < len(self.path) else None

    def nearest(self, *kinds: type) -> tree.Node | None:
        """Return the innermost node of some classes."""
        return next((each for each in self.path if isinstance(each, kinds)), None)

    def statement(self) -> tree.stmt:
        """Return the innermost statement."""
        return next(each for each in self.path if isinstance(each, tree.stmt))


def site_of(definition: tree.FunctionDef, fault: Diagnostic) -> Site | None:
    """Return the place of an error; None if it is not in the text of the function."""
    loc = fault.range
    if loc is None or loc.source is not definition.range.source or not covers(definition, loc):
        return None
    path: list[tree.Node] = [definition]
    while True:
        inner = next((each for each in _parts(path[0]) if covers(each, loc)), None)
        if inner is None:
            return Site(definition, path)
        path.insert(0, inner)


def covers(node: tree.Node, loc: SourceRange) -> bool:
    """Return whether a range is a part of a node's text."""
    mine = node.range
    return mine.source is loc.source and mine.start <= loc.start and loc.end <= mine.end


def _parts(node: tree.Node) -> Iterator[tree.Node]:
    """Yield the nodes below; those without a text of their own are passed through."""
    for each in tree.children(node):
        if getattr(each, "range", None) is None:
            yield from _parts(each)
        else:
            yield each


def is_simple(node: tree.Node) -> bool:
    """Return whether a node can be written twice: it is a name, an attribute or a constant."""
    if isinstance(node, tree.Attribute):
        return is_simple(node.value)
    return isinstance(node, (tree.Name, tree.Constant))


def called_name(node: tree.Node | None) -> str | None:
    """Return the name of the function that a call names: `max`, or `sort` of `xs.sort`."""
    match node:
        case tree.Call(func=tree.Name(id=name)) | tree.Call(func=tree.Attribute(attr=name)):
            return str(name)
    return None


def margin_of(statement: tree.stmt) -> str | None:
    """Return the indentation of a statement; None if it does not begin its line."""
    source, start, _ = statement.range
    line = source.line_starts[source.position(start).line - source.first_line]
    before = source.text[line:start]
    return before if not before.strip() else None


def fresh_name(definition: tree.FunctionDef, wanted: str) -> str:
    """Return a name that the function does not use."""
    used = {each.id for each in tree.walk(definition) if isinstance(each, tree.Name)}
    used |= {each.arg for each in tree.walk(definition) if isinstance(each, tree.arg)}
    name, number = wanted, 2
    while name in used:
        name, number = f"{wanted}_{number}", number + 1
    return name
