"""Forks of the process wait for a thread of minits that is at work, as it may hold a lock.

A child has the locks of its parent but not its threads: what another thread held at the time, such
as a lock of `tempfile` or of an import, nobody in the child will ever let go.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager

_PATIENCE = 10.0
"""Seconds that a fork waits: a thread at work may itself wait for a lock of the one that forks."""


class Forks:
    """A thread works, or the process forks; not both at a time."""

    def __init__(self) -> None:
        self._begin()
        os.register_at_fork(
            before=self._wait, after_in_parent=self._go_on, after_in_child=self._begin
        )

    def _begin(self) -> None:
        self._lock = threading.Lock()
        self._of_thread = threading.local()

    @contextmanager
    def held_back(self) -> Iterator[None]:
        """Work in this thread; forks wait meanwhile."""
        with self._lock:
            self._of_thread.works = True
            try:
                yield
            finally:
                self._of_thread.works = False

    @contextmanager
    def let_through(self) -> Iterator[None]:
        """Wait for something that may take long, holding no lock."""
        if not getattr(self._of_thread, "works", False):
            yield
            return
        self._lock.release()
        try:
            yield
        finally:
            self._lock.acquire()

    def _wait(self) -> None:
        works = getattr(self._of_thread, "works", False)
        self._of_thread.waited = not works and self._lock.acquire(timeout=_PATIENCE)

    def _go_on(self) -> None:
        if self._of_thread.waited:
            self._lock.release()


FORKS = Forks()
