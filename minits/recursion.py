"""Compiling long programs within Python's limit on recursion.

A chain of `elif`s, or of `+`s, is as deep as it is long, and a compiler that walks trees calls
itself a few times for each level. Python allows a thousand calls in all, of which a long program
needs more.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

DEEPEST = 10_000
"""Calls inside each other: what the eight megabytes of a thread's stack hold with room to spare."""


class _Limit:
    """Raises the limit while anybody compiles; it is one for all threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._users: set[object] = set()
        self._before = 0

    def enter(self, user: object) -> None:
        with self._lock:
            if not self._users:
                self._before = sys.getrecursionlimit()
            self._users.add(user)
            sys.setrecursionlimit(max(self._before, DEEPEST))

    def leave(self, user: object) -> None:
        """Undo `enter`, which an interrupt may have ended anywhere."""
        with self._lock:
            self._users.discard(user)
            if not self._users and sys.getrecursionlimit() == max(self._before, DEEPEST):
                sys.setrecursionlimit(self._before)


_LIMIT = _Limit()


@contextmanager
def deep_recursion() -> Iterator[None]:
    """Allow deeper recursion inside; the limit is what it was when all have left."""
    user = object()
    try:
        _LIMIT.enter(user)
        yield
    finally:
        _LIMIT.leave(user)
