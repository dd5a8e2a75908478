"""Plans that are bound once for calls of any sizes, instead of once for each.

    def block(x, w):                            def block(x, w):
        y = kernel_0(x)       -- bound to -->       y = launch(x)          whatever the shape of x
        return kernel_1(mm(y, w))                   return kernel_1(mm(y, w))

A plan that only calls one group is the launch itself (`kernels/cpu/any_sizes.py`); one without
groups has nothing to bind.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from minits.kernels.launch.admission import Admission
from minits.runtime.plan import Bound, Plan
from minits.runtime.planning import fusing_module

if TYPE_CHECKING:
    from minits.runtime.binding import Binder

MOST_TRIES = 3
"""Calls for which a plan is tried to be bound so: one may have a view with a size of one."""


def binder_of(plan: Plan) -> Binder:
    """Return the binder of a plan; it is made on first use."""
    if plan.binder is None:
        plan.binder = fusing_module().Binder(plan.graph, plan.run)
    return plan.binder


def bound_for_any_sizes(plan: Plan, values: list[Any], other: Callable[..., Any]) -> Bound | None:
    """Return the plan of a call bound for calls of its signature with any sizes, if it can be.

    None while kernels are being built. `other` is called for what a whole launch does not accept.
    """
    if plan.any_sizes is not None or plan.tries >= MOST_TRIES:
        return plan.any_sizes
    if not plan.is_plain or any(group.cache.is_being_built for group in plan.groups):
        return None
    plan.tries += 1
    plan.any_sizes = _bound(plan, values, other)
    return plan.any_sizes


def _bound(plan: Plan, values: list[Any], other: Callable[..., Any]) -> Bound | None:
    if not plan.groups:
        return Bound(plan.native or plan.run, plan, is_for_any_sizes=True)
    binder = binder_of(plan)
    run = binder.bind_whole(values, other)
    if run is not None:
        return Bound(run, plan, True, True)
    run = binder.bind_any_sizes(values)
    return run and Bound(run, plan, is_for_any_sizes=True)


def is_worth_binding(admission: Admission, key: Any, any_sizes: Bound) -> bool:
    """Return whether to bind a call to its sizes, though it can run for any.

    A whole launch is found by the short way from then on, so that a call is bound when it comes
    twice in a row; to what other plans are bound is looked up, so that it is when it comes again.
    """
    return admission.comes_again(key) if any_sizes.is_whole else admission.came_before(key)
