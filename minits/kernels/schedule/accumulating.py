"""Accumulators of schedules that are evaluated: what they start with, and how they are combined."""

from __future__ import annotations

from typing import Any

import numpy as np

NOTHING = {
    "sum": 0, "prod": 1, "max": None, "min": None, "any": False, "all": True,
    "argmax": None, "argmin": None,
}  # fmt: skip
"""Initial values of accumulators; None: the first element."""
_COMBINED = {
    "sum": np.add, "prod": np.multiply, "max": np.maximum, "min": np.minimum,
    "any": np.logical_or, "all": np.logical_and,
}  # fmt: skip


def combined(op: str, total: Any, found: Any) -> Any:
    """Return an accumulator of an operation, combined with one element or with another one.

    Those of `argmax` and `argmin` are pairs of an element and its index.
    """
    if total is None or found is None:
        return found if total is None else total
    if not op.startswith("arg"):
        return _COMBINED[op](total, found)
    return found if _is_ahead(found, total, op) else total


def _is_ahead(found: tuple[Any, int], total: tuple[Any, int], op: str) -> bool:
    """Return whether an element is the argmax (argmin) and not another: NaN, greater or first."""
    if found[0] != found[0] or total[0] != total[0]:
        is_nan = found[0] != found[0], total[0] != total[0]
        return found[1] < total[1] if all(is_nan) else is_nan[0]
    if found[0] == total[0]:
        return found[1] < total[1]
    return bool(found[0] > total[0] if op == "argmax" else found[0] < total[0])
