"""The journal of a compilation: its changes of what outlives it, to be taken back if it fails.

    with whole_or_nothing():
        enter(type.methods, "forward", method)      noted: what was there before
        ...                                         an error of the program, or an interrupt,
                                                    and `forward` is gone again

Functions, types and their methods are entered before they are compiled, since they may mention each
other. Where a compilation does not come to its end, the entries must go: another program would find
them half made. Within another such block, an error takes back the changes of the inner one.

An interrupt comes between any two calls. So a change is noted before it is made, and to take back
one that was not made does nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial
from typing import Any

from minits.kept import KeptTable

Undo = Callable[[], Any]

_CHANGES: ContextVar[list[Undo] | None] = ContextVar("changes", default=None)


@contextmanager
def whole_or_nothing() -> Iterator[None]:
    """Take back the changes noted in a block that raises."""
    outer = _CHANGES.get()
    changes: list[Undo] = [] if outer is None else outer
    start, is_whole = len(changes), False
    try:
        _CHANGES.set(changes)
        yield
        is_whole = True
    finally:
        try:
            while not is_whole and len(changes) > start:
                changes.pop()()
        finally:
            if outer is None:
                _CHANGES.set(None)


def note(undo: Undo) -> None:
    """Note how a change is taken back that is about to be made. Outside of a block it lasts."""
    changes = _CHANGES.get()
    if changes is not None:
        changes.append(undo)


_MISSING: Any = object()


def enter(table: dict[Any, Any] | KeptTable[Any], key: Any, value: Any) -> None:
    """Set an entry of a table that outlives the compilation."""
    note(partial(_put_back, table, key, table.get(key, _MISSING), value))
    table[key] = value


def remove(table: dict[Any, Any] | KeptTable[Any], key: Any) -> None:
    """Remove an entry of such a table, if it is there."""
    note(partial(_put_back, table, key, table.get(key, _MISSING), _MISSING))
    table.pop(key, None)


def _put_back(table: Any, key: Any, before: Any, entered: Any) -> None:
    """Undo a change of an entry, unless another one has come since, from another thread."""
    if table.get(key, _MISSING) is not entered:
        return
    if before is _MISSING:
        table.pop(key, None)
    else:
        table[key] = before
