"""The cycle collector while minits compiles."""

from __future__ import annotations

import gc
import sys
import types
from collections.abc import Iterator
from typing import Any

import pytest

from minits.gc_pause import gc_paused

NAME = "a_module_that_only_this_test_has"


@pytest.fixture(autouse=True)
def no_module() -> Iterator[None]:
    yield
    sys.modules.pop(NAME, None)


def _collections_after(imports: bool) -> int:
    """Return how many collections a pause ends with in which ten thousand lists were made."""
    seen: list[str] = []

    def note(phase: str, info: Any) -> None:
        seen.append(phase)

    gc.collect()
    with gc_paused():
        assert not gc.isenabled()
        kept = [[number] for number in range(10_000)]
        if imports:
            sys.modules[NAME] = types.ModuleType(NAME)
        gc.callbacks.append(note)
    later = [[number] for number in range(10)]
    gc.callbacks.remove(note)
    assert gc.isenabled()
    assert kept[0] != later[1]
    return seen.count("start")


def test_what_is_made_with_a_module_is_not_walked() -> None:
    assert _collections_after(imports=True) == 0
    assert gc.get_freeze_count() == 0


def test_what_is_made_without_is() -> None:
    assert _collections_after(imports=False) > 0


def test_what_the_user_froze_stays_frozen() -> None:
    gc.freeze()
    frozen = gc.get_freeze_count()
    try:
        _collections_after(imports=True)
        assert gc.get_freeze_count() > frozen // 2  # a few may have been deleted
    finally:
        gc.unfreeze()


def test_where_it_was_off_it_stays_off() -> None:
    gc.disable()
    try:
        with gc_paused():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()
