"""A plan, the family of plans for one pattern of None, and a plan bound to one kind of call."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any

from minits.bounded_cache import BoundedCache
from minits.ir.graph import Graph
from minits.kernels.launch.call_key import KeyOf
from minits.lazily import shown_as
from minits.passes.remarks import Remark, told_once
from minits.records import dataclass, field

if TYPE_CHECKING:
    from minits.codegen.groups import Group
    from minits.native.hot import NativeRun
    from minits.passes.specialization.module_flags import Flag
    from minits.runtime.binding import Binder
    from minits.runtime.fusing import Kernels
    from minits.runtime.plans import Plans
    from minits.runtime.stored import StoredBound

Run = Callable[..., Any]
Pattern = tuple[Any, ...]
"""The Optional arguments of a call that are None. Unless both are as usual, behind them the state
that decides what constants are, such as a default device, and the parts that have hooks."""


class HookedParts(tuple[str, ...]):
    """The paths of a module's parts that have hooks, in a pattern."""

    __slots__ = ()


def hooked_in(key: Pattern | None) -> HookedParts:
    """Return the parts with hooks that a pattern has."""
    found = key[-1] if key else None
    return found if isinstance(found, HookedParts) else HookedParts()


@dataclass(eq=False, slots=True)
class Plan:
    """A Python function generated for one signature of calls, in `seconds`."""

    signature: str
    unfused: Graph
    """The optimised graph, before anything was fused."""
    graph: Graph
    run: Run
    seconds: float
    fusion_remarks: list[Remark] = field(default_factory=list)
    groups: list[Group] = field(default_factory=list)
    kernels: Kernels = field(default_factory=list)
    native: NativeRun | None = None
    """Runs it in C, where all of it can be C and there are loops."""
    binder: Binder | None = None
    """Binds the plan to the shapes of calls; made on first use."""
    is_plain: bool = True
    """Whether all tensors of its calls are plain (`is_plain` of `types/tensor_meta.py`)."""
    any_sizes: Bound | None = field(default=None, repr=False)
    """The plan bound for calls of this signature with any sizes, if it can be."""
    tries: int = 0
    """The number of times that making it was tried."""
    hits: int = 0
    noted: int = 0
    """Calls bound to whose shapes it was written to disk."""

    _repr_html_ = shown_as("plan")

    @property
    def remarks(self) -> list[Remark]:
        """Remarks on the fused groups, on what was not fused, and on groups without a kernel.

        Each cause is told once. Those on tasks are there when these have been planned: when they
        have run.
        """
        return told_once(self.remarks_on_operators)

    @property
    def remarks_on_operators(self) -> list[Remark]:
        """The remarks with one for each operator, whatever the cause is."""
        groups = [remark for group in self.groups for remark in group.remarks()]
        plans = [plan for task in self.tasks for plan in task if isinstance(plan, Plan)]
        return (
            self.fusion_remarks
            + groups
            + [each for plan in plans for each in plan.remarks_on_operators]
        )

    @property
    def tasks(self) -> list[Plans]:
        """The plans of the tasks that it starts."""
        from minits.runtime.task_plans import plans_of_tasks  # which imports this module

        return plans_of_tasks(self.run)


@dataclass(eq=False, slots=True)
class RestoredPlan:
    """A plan read from disk (`stored_plans.py`): the function to call, without the graphs.

    `stored` are the launches that it has for calls, by their keys.
    """

    signature: str
    run: Run
    stored: dict[Any, StoredBound]
    hits: int = 0

    @property
    def groups(self) -> list[Group]:
        from minits.codegen.groups import groups_in

        return groups_in(self.run)

    @property
    def tasks(self) -> list[Plans]:
        """None: a plan that starts tasks is not stored."""
        return []


AnyPlan = Plan | RestoredPlan


@dataclass(frozen=True, eq=False, slots=True)
class Bound:
    """A function for the calls of one key, and the plan it is bound from.

    If it `is_whole`, its kernels read the call's own tensors, and no part of it compares its inputs
    with a key again. If it `is_for_any_sizes`, calls with other sizes run it as well.
    """

    run: Run
    plan: AnyPlan
    is_whole: bool = False
    is_for_any_sizes: bool = False


@dataclass(eq=False)
class Family:
    """The plans for one pattern of None, and what they share: the optimised graph, `optimized()`.

    `fuses` says whether the graph has operators that may be fused; without any, one plan is enough
    for all calls. `flags` are the attributes of the module that the plans depend on, `attributes`
    the expressions of the tensors among these, `tensors` the indices of the arguments that are
    tensors.
    """

    key: Pattern | None
    description: str
    optimized: Callable[[], Graph]
    fuses: bool
    flags: list[Flag]
    attributes: list[str]
    tensors: list[int]
    seconds: float
    kind_of: KeyOf
    """Returns the signature of a call: calls with equal ones share a plan."""
    key_of: KeyOf
    """Returns the key of a call: calls with equal ones share a bound plan."""
    flags_of: KeyOf
    bound: BoundedCache[Any, Bound]
    """Bound plans by the key of a call."""
    is_whole: bool = False
    """Whether all kernels of the plan that was bound last read the call's own tensors."""
    unbound: Bound | None = None
    """The plan for calls whose shapes are not bound, where `is_whole`."""

    @cached_property
    def graph(self) -> Graph:
        return self.optimized()
