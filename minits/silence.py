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
        self.lock = threading.Lock()
        self.count = 0
        self.restore = ExitStack()

    def begin(self) -> None:
        with self.lock:
            if self.count == 0:
                self.restore.enter_context(warnings.catch_warnings())
                warnings.simplefilter("ignore")
            self.count += 1

    def end(self) -> None:
        with self.lock:
            self.count -= 1
            if self.count == 0:
                self.restore.close()


_SILENCE = _Silence()


@contextmanager
def without_warnings() -> Iterator[None]:
    """Drop all warnings meanwhile, in every thread."""
    _SILENCE.begin()
    try:
        yield
    finally:
        _SILENCE.end()
