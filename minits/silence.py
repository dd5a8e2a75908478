"""Running something once more, or on the side, without warning anybody twice.

Filters of warnings belong to the process, not to a thread. Where `warnings.catch_warnings` blocks
of two threads overlap, the one that ends last brings back what the other one had changed, and
warnings stay lost for good. Blocks of this module share one change, which ends with the last.
"""

from __future__ import annotations

import threading
import warnings
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager


class _Silence:
    """The change of the filters while anybody is within."""

    def __init__(self) -> None:
        # A block may end when it is collected, which may be while this thread holds the lock.
        self._lock = threading.RLock()
        self._users: set[object] = set()
        self._change = ExitStack()

    def begin(self, user: object) -> None:
        with self._lock:
            is_first = not self._users
            self._users.add(user)
            if is_first:
                self._change.enter_context(warnings.catch_warnings())
                warnings.simplefilter("ignore")

    def end(self, user: object) -> None:
        """Undo `begin`, which an interrupt may have ended anywhere."""
        with self._lock:
            self._users.discard(user)
            if not self._users:
                self._change.close()


_SILENCE = _Silence()


@contextmanager
def without_warnings() -> Iterator[None]:
    """Drop all warnings meanwhile, in every thread."""
    user = object()
    try:
        _SILENCE.begin(user)
        yield
    finally:
        _SILENCE.end(user)
