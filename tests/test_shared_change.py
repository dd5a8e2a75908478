"""A change of the process begins with the first block that wants it, and ends with the last."""

from __future__ import annotations

import threading
from contextlib import ExitStack

import pytest

from minits.shared_change import SharedChange


class Noted:
    """A change that notes when it is made and undone, and may fail half-way."""

    def __init__(self) -> None:
        self.events: list[str] = []
        self.fails = False
        self.change = SharedChange(self.make)

    def make(self, undo: ExitStack) -> None:
        self.events.append("made")
        undo.callback(self.events.append, "undone")
        if self.fails:
            raise ValueError("half-way")


def test_nested_blocks_share_it() -> None:
    noted = Noted()
    with noted.change.made(), noted.change.made():
        assert noted.events == ["made"]
    assert noted.events == ["made", "undone"]
    with noted.change.made():
        pass
    assert noted.events == ["made", "undone"] * 2


def test_the_last_block_of_any_thread_ends_it() -> None:
    noted = Noted()
    has_begun, may_end = threading.Event(), threading.Event()

    def other() -> None:
        with noted.change.made():
            has_begun.set()
            may_end.wait(30)

    thread = threading.Thread(target=other)
    with noted.change.made():
        thread.start()
        assert has_begun.wait(30)
    assert noted.events == ["made"]
    may_end.set()
    thread.join()
    assert noted.events == ["made", "undone"]


def test_what_fails_half_way_is_undone() -> None:
    noted = Noted()
    noted.fails = True
    with pytest.raises(ValueError, match="half-way"), noted.change.made():
        raise AssertionError("the block runs")
    assert noted.events == ["made", "undone"]
    noted.fails = False
    with noted.change.made():
        assert noted.events[-1] == "made"
    assert noted.events[-1] == "undone"
