"""The functions, classes and methods of a file, as an outline."""

from __future__ import annotations

from collections.abc import Iterator

from minits.queries.bindings import name_range
from minits.records import dataclass
from minits.source import SourceRange
from minits.syntax import tree


@dataclass(frozen=True, slots=True)
class Symbol:
    """A definition: kind is `function`, `method` or `class`; `inside` are its own definitions."""

    name: str
    kind: str
    range: SourceRange
    name_range: SourceRange
    inside: tuple[Symbol, ...] = ()


def symbols_of(module: tree.Module) -> list[Symbol]:
    """Return the definitions of a file, in its order."""
    return list(_symbols(module.body, "function"))


def _symbols(body: tuple[tree.stmt, ...], kind: str) -> Iterator[Symbol]:
    for node in body:
        match node:
            case tree.FunctionDef(name=name):
                yield Symbol(name, kind, node.range, name_range(node))
            case tree.ClassDef(name=name, body=inner):
                inside = tuple(_symbols(inner, "method"))
                yield Symbol(name, "class", node.range, name_range(node), inside)
