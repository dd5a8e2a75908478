"""A change of the process that holds while anybody wants it, in whichever thread.

Names of a module and filters of warnings belong to the process. Where blocks of two threads each
bring back what was before, the one that ends last brings back what the other one had changed. Here
the first block makes the change, and the last one that ends undoes it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from threading import RLock


class SharedChange:
    """A change, and the blocks that want it; `make` makes it, with what undoes it in a stack."""

    def __init__(self, make: Callable[[ExitStack], object]) -> None:
        # A block may end when it is collected, which may be while this thread holds the lock.
        self._lock = RLock()
        self._make = make
        self._blocks: set[object] = set()
        self._undo = ExitStack()

    @contextmanager
    def made(self) -> Iterator[None]:
        """Let the change hold meanwhile; interrupts may come anywhere. Raises what `make` does."""
        block = object()
        try:
            self._begin(block)
            yield
        finally:
            self._end(block)

    def _begin(self, block: object) -> None:
        with self._lock:
            is_first = not self._blocks
            try:
                self._blocks.add(block)
                if is_first:
                    self._make(self._undo)
            except BaseException:
                self._end(block)  # before another block takes half of it for the change
                raise

    def _end(self, block: object) -> None:
        with self._lock:
            self._blocks.discard(block)
            if not self._blocks:
                self._undo.close()
