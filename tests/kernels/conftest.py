"""Fixtures of the kernels' tests."""

from __future__ import annotations

import pytest

from tests.kernels.differentiated import Evaluated, use


@pytest.fixture
def evaluated(monkeypatch: pytest.MonkeyPatch) -> None:
    """Work gradients' kernels out with numpy, and count them."""
    Evaluated.launches = 0
    use(monkeypatch, Evaluated)
