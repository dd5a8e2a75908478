"""The mark `one_in(n)`: the default run takes each n-th case of a test, the slow one the others."""

from __future__ import annotations

import pytest


@pytest.mark.one_in(3)
@pytest.mark.parametrize("number", range(7))
def test_every_third_case_runs(number: int, request: pytest.FixtureRequest) -> None:
    is_slow = request.node.get_closest_marker("slow") is not None
    assert is_slow == bool(number % 3)


@pytest.mark.one_in(3)
def test_the_first_case_runs(request: pytest.FixtureRequest) -> None:
    assert request.node.get_closest_marker("slow") is None
