"""Warnings are dropped meanwhile, and only meanwhile, whichever thread ends first."""

from __future__ import annotations

import threading
import warnings

import pytest

from minits.silence import without_warnings


def test_warnings_are_dropped_meanwhile() -> None:
    with without_warnings():
        warnings.warn("dropped", stacklevel=1)
    with pytest.warns(UserWarning, match="told"):
        warnings.warn("told", stacklevel=1)


def test_blocks_of_threads_may_overlap() -> None:
    has_begun, may_end = threading.Event(), threading.Event()

    def other() -> None:
        with without_warnings():
            has_begun.set()
            may_end.wait(30)

    before = list(warnings.filters)
    thread = threading.Thread(target=other)
    with without_warnings():
        thread.start()
        assert has_begun.wait(30)
    warnings.warn("the other block goes on", stacklevel=1)
    may_end.set()
    thread.join()
    assert warnings.filters == before


def test_an_error_ends_a_block() -> None:
    before = list(warnings.filters)
    with pytest.raises(ValueError, match="fault"), without_warnings():
        raise ValueError("fault")
    assert warnings.filters == before
