"""Constants that are tuples with items of Optional types: numbers are boxed as others are."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.native_calls import check_agreement

Mixed = tuple[str, str | None, bool | None, int | None, float | None, complex | None]


def replaced(n: int, c: Mixed) -> Mixed:
    for i in range(n):
        if i % 2 == 1:
            c = ("a", "b", True, 7, -0.5, 2j)
        elif i > 3:
            c = ("", None, None, None, None, None)
    return c


@pytest.mark.one_in(3)
@pytest.mark.parametrize("n", [0, 1, 2, 5, 6])
def test_constants_that_loops_carry(n: int, monkeypatch: Any) -> None:
    check_agreement(replaced, (n, ("x", "y", False, None, 1.5, 1j)), monkeypatch)
