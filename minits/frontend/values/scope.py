"""The surroundings of a function: the names that it sees, and the object it is a method of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from minits.ir.graph import Value
from minits.source import SourceRange
from minits.syntax import tree
from minits.types import types as t
from minits.types.types import Type

if TYPE_CHECKING:
    from minits.frontend.values.emitter import Emitter
    from minits.frontend.values.sugared_value import SugaredValue


class Scope(Protocol):
    """The names that a function sees around it: its globals and closure, or the file's text."""

    dialect: str

    def value(self, name: str, loc: SourceRange, emitter: Emitter) -> SugaredValue | None:
        """Return the value of a name, or None if it is undefined."""

    def type(self, annotation: tree.expr) -> Type:
        """Return the type that an annotation means. Raises `CompileError` (TS2xx)."""

    def names(self) -> list[str]:
        """Return the names that are defined, to suggest one for an undefined name."""


class SelfArgument(Protocol):
    """The first parameter of a method."""

    type: t.ClassType

    def make(self, value: Value) -> SugaredValue:
        """Return the sugared value of `self` in the method."""
