"""The base of syntax tree nodes, and functions that walk and change a tree."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from typing_extensions import dataclass_transform

from minits.records import dataclass, getter
from minits.source import SourceRange

C = TypeVar("C", bound=type)


@dataclass_transform(frozen_default=True, eq_default=False)
def node(cls: C) -> C:
    """Return a class with a slot for each annotated field and a constructor that takes them all."""
    made: C = dataclass(frozen=True, slots=True, eq=False, repr=False)(cls)
    return made


@node
class Node:
    """Something in a source text; `range` says where."""

    range: SourceRange

    def __repr__(self) -> str:
        values = [f"{name}={getattr(self, name)!r}" for name in self.__match_args__]
        return f"{type(self).__name__}({', '.join(values)})"


N = TypeVar("N", bound=Node)


def replaced(original: N, **changes: Any) -> N:
    """Return a copy of a node with some fields changed."""
    names: tuple[str, ...] = original.__match_args__
    values = {name: getattr(original, name) for name in names}
    return type(original)(**{**values, **changes})


def relocated(root: N, new_range: Callable[[SourceRange], SourceRange]) -> N:
    """Return a copy of a tree with the ranges that `new_range` makes of its own."""
    names: tuple[str, ...] = root.__match_args__
    fields = {name: _relocated(getattr(root, name), new_range) for name in names[1:]}
    return type(root)(new_range(root.range), **fields)


def _relocated(value: Any, new_range: Callable[[SourceRange], SourceRange]) -> Any:
    if isinstance(value, tuple):
        return tuple(_relocated(item, new_range) for item in value)
    return relocated(value, new_range) if isinstance(value, Node) else value


_PLAIN = frozenset(
    ("SourceRange", "str", "str | None", "tuple[str, ...]", "int", "bool | None", "Any")
)


class _Fields(dict[type[Node], Callable[[Any], tuple[Any, ...]]]):
    """By class of nodes, looked at once: a function that returns the fields that may hold nodes."""

    def __missing__(self, cls: type[Node]) -> Callable[[Any], tuple[Any, ...]]:
        declared: dict[str, str] = {}
        for each in cls.__mro__[:-1]:
            declared |= each.__annotations__
        found = [name for name in cls.__match_args__ if declared[name] not in _PLAIN]
        self[cls] = read = getter(found)
        return read


_FIELDS = _Fields()


def children(parent: Node) -> list[Node]:
    """The nodes directly below `parent`, in the order of its fields."""
    found: list[Node] = []
    for value in _FIELDS[parent.__class__](parent):
        if value.__class__ is tuple:
            found += filter(None, value)  # `{**rest}` has None for a key
        elif value is not None:
            found.append(value)
    return found


def walk(root: Node) -> Iterator[Node]:
    """`root` and all nodes below it, in pre-order."""
    stack = [root]
    while stack:
        here = stack.pop()
        yield here
        stack += children(here)[::-1]
