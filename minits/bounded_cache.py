"""A dict with a bound, for what is remembered between calls.

    launches = BoundedCache(most=256)
    launch = launches.get(key) or launches.put(key, bind(values))

At the bound one entry goes for each that comes: the one that was put in first. So a program that
meets one more shape than the bound pays for one binding a call, not for all of them again.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from itertools import islice
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")
_LOCK = threading.RLock()
"""Held while an entry comes and another goes: some nanoseconds, so one lock is enough for all.

What ends with an evicted value may put something in its turn, in the same thread.
"""


class BoundedCache(dict[K, V], Generic[K, V]):
    """At most `most` entries. Looking up and clearing are a dict's own; several threads may put."""

    __slots__ = ("evictions", "most")

    def __init__(self, most: int) -> None:
        super().__init__()
        self.most = most
        self.evictions = 0

    def put(self, key: K, value: V) -> V:
        """Keep and return a value; the entry that was put in first goes if there are too many."""
        with _LOCK:
            surplus = len(self) + 1 - self.most
            if surplus > 0 and key not in self:
                oldest = [*islice(self, surplus)]  # fewer, where another thread has just cleared
                for each in oldest:
                    self.pop(each, None)
                self.evictions += len(oldest)
            self[key] = value
        return value

    def discard(self, is_gone: Callable[[V], bool]) -> None:
        """Remove the entries of which this is true."""
        with _LOCK:
            for key in [key for key, value in self.items() if is_gone(value)]:
                del self[key]

    def used(self, key: K) -> V | None:
        """Return the value kept for a key, and make it the last to be evicted."""
        with _LOCK:
            if key not in self:
                return None
            value = self[key] = self.pop(key)
        return value
