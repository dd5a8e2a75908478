"""Compiling without Python's cycle collector.

A compiler makes many objects that live on. The collector would walk them every few hundred
allocations and find nothing: a tenth of the time that a compilation takes. It would walk what the
import of a module makes, too, when the pause ends: twice, and for longer than a small program takes
to compile. Modules stay as long as the process, so that what was made along with them is handed to
the oldest generation at once.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def gc_paused() -> Iterator[None]:
    """Pause the collector, for the whole process; where it was off, it stays off."""
    was_enabled = gc.isenabled()
    n_modules = len(sys.modules)
    try:
        gc.disable()
        yield
    finally:
        if was_enabled:
            try:
                if len(sys.modules) > n_modules:
                    _age()
            finally:  # an interrupt may come before
                gc.enable()


def _age() -> None:
    """Move all objects to the oldest generation, unless the user has frozen some."""
    if not gc.get_freeze_count():
        gc.freeze()
        gc.unfreeze()
