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
        # A user may leave when it is collected, which may be while this thread holds the lock.
        self._lock = threading.RLock()
        self._users: set[object] = set()
        self._before = 0

    def enter(self, user: object) -> None:
        with self._lock:
            if not self._users:
                self._before = sys.getrecursionlimit()
            self._users.add(user)
            sys.setrecursionlimit(max(self._before, DEEPEST))

    def leave(self, user: object) -> None:
        """Undo `enter`, which an interrupt may have ended anywhere; do nothing the second time."""
        with self._lock:
            if user not in self._users:
                return
            if len(self._users) == 1 and sys.getrecursionlimit() == max(self._before, DEEPEST):
                sys.setrecursionlimit(self._before)
            self._users.discard(user)


_LIMIT = _Limit()


class _User:
    """One who compiles. It leaves at the latest when Python frees it: an interrupt may come first.

    An interrupt that comes at the begin of `leave` would let the limit stay raised for ever.
    """

    def __init__(self) -> None:
        self._key = object()

    def enter(self) -> None:
        _LIMIT.enter(self._key)

    def leave(self) -> None:
        _LIMIT.leave(self._key)

    __del__ = leave


@contextmanager
def deep_recursion() -> Iterator[None]:
    """Allow deeper recursion inside; the limit is what it was when all have left."""
    user = _User()
    try:
        user.enter()
        yield
    finally:
        user.leave()
