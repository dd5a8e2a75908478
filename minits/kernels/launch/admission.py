"""Admission: the decision whether kernels are bound to the shapes of a call.

Binding takes as long as dozens of small operators, and it pays where the shapes come again. They
mostly do, so the first ones are bound at once. A program that cuts its tensor at each step,

    while x.shape[0] > 1:
        x = torch.relu(x[1:]) * 2

never meets a shape twice. Where most of what was bound was not found again, small tensors of new
shapes run operator by operator, and their shapes are bound when they come for the second time.
After many new shapes in a row, calls are not even looked up for a while.

Large tensors are always bound: a kernel saves more than binding takes. So are calls that may be
run again for their gradients, as `torch.utils.checkpoint` does.

Patterns of None and of flags are admitted in the same way to have plans of their own
(`runtime/plan_table.py`).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from torch import Tensor

from minits.bounded_cache import BoundedCache
from minits.kernels.launch.observers import are_saves_counted

AT_ONCE = 16
"""Bindings that are made without asking."""
REPAID = 8
"""The number of later calls for which a bound launch repays the time of binding it."""
LARGE = 1 << 18
"""Elements of a tensor from which on binding pays at the first call."""
MOST_SEEN = 256
"""Shapes of which it is remembered that they came once."""
LOOKED_UP = 16
"""New shapes in a row that are looked up, before as many calls are not, then twice as many ..."""
MOST_PASSED = 256
"""... until these."""
ONE_IN = 16
"""A call among so many is looked up, though a launch for any sizes is at hand: shapes that come
again and again are bound, which saves a microsecond each time."""


class Admission:
    """Counts what was bound and found again, for one function or group.

    Several threads may count at once: a count that is lost does no harm.
    """

    __slots__ = (
        "_at_once",
        "_looked_up",
        "_next_passed",
        "_refused",
        "_seen",
        "bound",
        "found",
        "passing",
        "unbound",
    )

    def __init__(self, at_once: int = AT_ONCE) -> None:
        self._at_once = at_once
        self.bound = 0
        self.found = 0
        self.passing = 0
        """Calls that are still to run operator by operator without being looked up."""
        self.unbound = 0
        """Calls that ran operator by operator."""
        self._refused = 0
        self._next_passed = LOOKED_UP
        self._seen: BoundedCache[Any, None] = BoundedCache(MOST_SEEN)
        self._looked_up: Any = None

    def passes(self, values: Iterable[Any]) -> bool:
        """Return whether a call is to run operator by operator without being looked up.

        One with a tensor of `LARGE` elements or more never is.
        """
        if not self.passing or _has_large(values) or are_saves_counted():
            return False
        self.passing -= 1
        self.unbound += 1
        return True

    def admits(self, key: Any, values: Iterable[Any] = ()) -> bool:
        """Return whether the shapes of a call, which are not bound yet, are to be bound now."""
        is_welcome = self.bound < self._at_once or self.found >= self.bound * REPAID
        if is_welcome or key in self._seen or _has_large(values) or are_saves_counted():
            self.bound += 1
            self._refused, self._next_passed = 0, LOOKED_UP
            return True
        self._seen.put(key, None)
        self._refused += 1
        self.unbound += 1
        if self._refused >= LOOKED_UP:
            self.passing, self._refused = self._next_passed, 0
            self._next_passed = min(2 * self._next_passed, MOST_PASSED)
        return False

    def came_before(self, key: Any) -> bool:
        """Return whether a call was among the last new ones. It is from now on."""
        if key in self._seen:
            return True
        self._seen.put(key, None)
        return False

    def comes_again(self, key: Any) -> bool:
        """Return whether a call is like the one that was looked up before it.

        Then binding pays, though a launch for any sizes is at hand (`any_sizes.py`).
        """
        before, self._looked_up = self._looked_up, key
        return bool(key == before)


def _has_large(values: Iterable[Any]) -> bool:
    for value in values:
        if isinstance(value, Tensor):
            count = value.numel()
            if type(count) is int and count >= LARGE:  # jagged tensors have no number, nor has what
                return True  # a transform wraps, which does not say that it is jagged
    return False
