"""The context managers that a call has entered: they are exited on an exception, too.

    entered = ActiveContexts()
    try:
        enter(entered, manager)
        ...
        exit(entered, manager)
    except BaseException:
        entered.leave()
        raise

Source: torch/csrc/jit/runtime/interpreter.cpp (`entered_objects`).
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

Exit = Callable[[Any, None, None, None], Any]


class ActiveContexts(list[tuple[Exit, Any]]):
    """A stack of (`__exit__`, context manager) pairs, the outermost manager first."""

    def leave(self) -> None:
        """Exit all managers, the innermost first. What `__exit__` raises is lost, as in torch."""
        while self:
            method, manager = self.pop()
            with suppress(Exception):
                method(manager, None, None, None)


def entering(enter: Callable[[Any], Any], exit: Exit) -> Callable[[ActiveContexts, Any], Any]:
    """Return a function that pushes a manager on the stack and calls its `__enter__`.

    The manager is pushed first: where `__enter__` raises, `__exit__` is called, too.
    """

    def call(entered: ActiveContexts, manager: Any) -> Any:
        entered.append((exit, manager))
        return enter(manager)

    return call


def exiting(exit: Exit) -> Callable[[ActiveContexts, Any], Any]:
    """Return a function that pops the innermost manager and calls its `__exit__`."""

    def call(entered: ActiveContexts, manager: Any) -> Any:
        entered.pop()
        return exit(manager, None, None, None)

    return call
