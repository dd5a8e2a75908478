"""The context managers whose blocks a call is in: they are left where something is raised, too.

    entered = Entered()
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


class Entered(list[tuple[Exit, Any]]):
    """What is to be called for each manager, the outermost first."""

    def leave(self) -> None:
        """Leave all blocks, the innermost first. What that raises is lost, as in torch."""
        while self:
            method, manager = self.pop()
            with suppress(Exception):
                method(manager, None, None, None)


def entering(enter: Callable[[Any], Any], exit: Exit) -> Callable[[Entered, Any], Any]:
    """Return what enters a manager's block. Where `__enter__` raises, `__exit__` runs, too."""

    def call(entered: Entered, manager: Any) -> Any:
        entered.append((exit, manager))
        return enter(manager)

    return call


def exiting(exit: Exit) -> Callable[[Entered, Any], Any]:
    """Return what leaves a manager's block."""

    def call(entered: Entered, manager: Any) -> Any:
        entered.pop()
        return exit(manager, None, None, None)

    return call
