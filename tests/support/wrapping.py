"""A decorator in a file that has none of the names that what it decorates uses."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any


def tenfold(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that gives ten times as much."""

    @functools.wraps(function)
    def inner(*args: Any) -> Any:
        return function(*args) * 10

    return inner
