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
        self._users = 0
        self._before = 0

    def enter(self) -> None:
        with self._lock:
            if self._users == 0:
                self._before = sys.getrecursionlimit()
                sys.setrecursionlimit(max(self._before, DEEPEST))
            self._users += 1

    def leave(self) -> None:
        with self._lock:
            self._users -= 1
            if self._users == 0 and sys.getrecursionlimit() == max(self._before, DEEPEST):
                sys.setrecursionlimit(self._before)


_LIMIT = _Limit()


@contextmanager
def deep_recursion() -> Iterator[None]:
    """Allow deeper recursion inside; the limit is what it was when all have left."""
    _LIMIT.enter()
    try:
        yield
    finally:
        _LIMIT.leave()
