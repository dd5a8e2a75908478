"""The error that comes first in a program, where its operators run in another order.

    picked = x.gather(1, index)       in a kernel, which runs where its last operator stands
    zeros.scatter_(1, index, 5)       refuses the same index, and raises before the kernel runs

Which operators a group overtakes does not matter until one of them raises. Then the program runs
once more as it was written, and what it raises is the error: unless others could see that it runs
again, or it could end otherwise.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import torch

from minits.internal_error import is_internal_in_call
from minits.ir.running_again import may_run_again
from minits.kernels.launch.observers import are_saves_counted
from minits.silence import without_warnings

if TYPE_CHECKING:
    from minits.runtime.plan import AnyPlan, Plan
    from minits.runtime.planning import Planner


_NOT_REAL = (
    "a number of this call is complex where TorchScript takes it for a float, as it does "
    "`x.item() / n`; kernels compute with real numbers, and the program must not run a second time "
    "without them: annotate the number as complex, or keep it a tensor"
)
_OF_MACHINE = tuple(
    each
    for each in (
        MemoryError,
        getattr(torch, "OutOfMemoryError", None),
        getattr(torch, "AcceleratorError", None),
    )
    if each is not None
)
"""Errors that come when something is waited for, or do not come again."""


class FirstErrors:
    """Finds the errors of one function. What it runs is made at the first error."""

    def __init__(self, planner: Planner) -> None:
        self._planner = planner

    def of(self, error: Exception, plan: AnyPlan, values: Sequence[Any]) -> Exception:
        """Return the first error of the program, given the error of a plan of it for a call.

        Where hooks get what is saved for gradients, the error may be theirs, to end the call.
        """
        if not plan.groups or isinstance(error, _OF_MACHINE) or is_internal_in_call(error):
            return error
        again = self._again(plan)
        if again is None:
            return error
        try:
            with without_warnings():
                again.run(*values)
        except Exception as first:
            first.__suppress_context__ = True
            return first
        return error

    def without_kernels(self, plan: AnyPlan, values: Sequence[Any]) -> Any:
        """Return the result of a call in which a kernel has refused a number.

        `x.item() / n` is a float to TorchScript, and complex where `x` is. Raises TypeError where
        the program must not run again.
        """
        again = self._again(plan)
        if again is None:
            raise TypeError(_NOT_REAL)
        with without_warnings():
            return again.run(*values)

    def _again(self, plan: AnyPlan) -> Plan | None:
        """Return the program as it was written; None where others could see that it runs again."""
        is_seen = are_saves_counted() or self._as_written is None or _calls_hooks(plan)
        return None if is_seen else self._as_written

    @cached_property
    def _as_written(self) -> Plan | None:
        """The plan of the unoptimised graph; None if it must not run again."""
        from minits.passes.preoptimize import inlined

        graph = inlined(self._planner.function.graph)
        return self._planner.as_written() if may_run_again(graph) else None


def _calls_hooks(plan: AnyPlan) -> bool:
    """Return whether a plan runs hooks of modules, which must not run twice."""
    from minits.passes.inlining import is_hooked
    from minits.runtime.plan import Plan

    return isinstance(plan, Plan) and any(map(is_hooked, plan.graph.all_nodes()))
