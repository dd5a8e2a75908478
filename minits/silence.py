"""Running something once more, or on the side, without warning anybody twice."""

from __future__ import annotations

import warnings
from contextlib import AbstractContextManager, ExitStack

from minits.shared_change import SharedChange


def without_warnings() -> AbstractContextManager[None]:
    """Drop all warnings meanwhile, in every thread: their filters belong to the process."""
    return _SILENCE.made()


def _drop(undo: ExitStack) -> None:
    undo.enter_context(warnings.catch_warnings())
    warnings.simplefilter("ignore")


_SILENCE = SharedChange(_drop)
