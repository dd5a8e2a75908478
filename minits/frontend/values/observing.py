"""Observers: tools that are told what the emitter finds out about each node of a function.

The types of expressions are known while a function is emitted, and forgotten afterwards. A tool
that wants to show them has functions compiled under an observer:

    with observing(observer):
        function.ensure_defined()     # calls observer.expression(emitter, node, value), ...

Without an observer nothing is different, and nothing is slower.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

from minits.frontend.values.refinement import Condition
from minits.frontend.values.sugared_value import SugaredValue
from minits.syntax import tree
from minits.types.types import Type

if TYPE_CHECKING:
    from minits.frontend.values.emitter import Emitter, Form, Visitor


class Observer:
    """The base class, which does nothing with what it is told."""

    def begin(self, emitter: Emitter) -> None:
        """Note that a function is about to be emitted, perhaps once more."""

    def enter(self, emitter: Emitter, statement: tree.stmt) -> None:
        """Note that a statement is about to be emitted."""

    def leave(self, emitter: Emitter, statement: tree.stmt, is_emitted: bool) -> None:
        """Note that a statement has been emitted, or was at fault."""

    def expression(self, emitter: Emitter, node: tree.expr, value: SugaredValue) -> None:
        """Note the value of an expression."""

    def condition(self, emitter: Emitter, node: tree.expr, condition: Condition) -> None:
        """Note the condition that a test has become."""


_OBSERVER: ContextVar[Observer | None] = ContextVar("observer", default=None)


@contextmanager
def observing(observer: Observer) -> Iterator[None]:
    """Tell an observer of all that is compiled inside."""
    before = _OBSERVER.set(observer)
    try:
        yield
    finally:
        _OBSERVER.reset(before)


def observed(visitor: Visitor) -> Visitor:
    """Return the visitor, one that tells the observer what it does if there is an observer."""
    observer = _OBSERVER.get()
    return visitor if observer is None else _ObservedVisitor(visitor, observer)


class _ObservedVisitor:
    """A visitor that tells an observer what another one has made of each node."""

    def __init__(self, visitor: Visitor, observer: Observer) -> None:
        self._visitor, self._observer = visitor, observer
        self._has_begun = False
        self.builtins: Mapping[str, SugaredValue] = visitor.builtins
        self.forms: Mapping[str, Form] = visitor.forms
        self.generators = visitor.generators

    def statement(self, emitter: Emitter, node: tree.stmt) -> None:
        if not self._has_begun:
            self._has_begun = True
            self._observer.begin(emitter)
        self._observer.enter(emitter, node)
        is_emitted = False
        try:
            self._visitor.statement(emitter, node)
            is_emitted = True
        finally:
            self._observer.leave(emitter, node, is_emitted)

    def expression(
        self, emitter: Emitter, node: tree.expr, n_binders: int, hint: Type | None
    ) -> SugaredValue:
        value = self._visitor.expression(emitter, node, n_binders, hint)
        self._observer.expression(emitter, node, value)
        return value

    def condition(self, emitter: Emitter, node: tree.expr) -> Condition:
        condition = self._visitor.condition(emitter, node)
        self._observer.condition(emitter, node, condition)
        return condition
