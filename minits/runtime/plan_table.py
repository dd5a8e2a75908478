"""The families and plans of one function: found by what calls are like, or made.

    pattern of None                        -->  Family: one optimised graph for these calls
    family, signature of tensors           -->  Plan: fused, and generated as a Python function
    family, "observed", "new-shapes", ...  -->  a plan that fuses nothing, for this reason

Planning takes as long as thousands of small operators, so that what seldom comes again gets no plan
of its own. `plans.py` binds plans to the shapes of calls and runs them.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

from minits.bounded_cache import BoundedCache
from minits.frontend.values.function import CompiledFunction
from minits.kernels.launch.admission import Admission
from minits.kernels.launch.call_key import USUAL_STATE, state_of_constants
from minits.kernels.launch.observers import is_observed
from minits.runtime.direct_calls import DirectCalls
from minits.runtime.hook_tables import hooked_parts
from minits.runtime.plan import AnyPlan, Family, HookedParts, Pattern, Plan
from minits.runtime.planning import NEW_SIGNATURES, NO_COMPILER, Planner, lacks_compiler
from minits.runtime.stored_plans import StoredPlans
from minits.runtime.strict_fusion import STRICT

MOST_PLANS = 256
"""Plans that a function keeps; the one that was bound longest ago goes first."""
MOST_FAMILIES = 256
"""Patterns of None whose optimised graph is kept."""
PLANNED_AT_ONCE = 32
"""Patterns of None, and signatures, that have plans of their own when they come for the first time;
more of them have to come again."""


class PlanTable:
    """The families and plans of one function. Plans are made by who holds the lock `building`.

    `stored` are those of earlier processes. What is bound to a plan goes with it, in its family and
    in `direct`.
    """

    def __init__(self, function: CompiledFunction, direct: DirectCalls) -> None:
        self.building = threading.RLock()
        self.planner = Planner(function)
        self.stored = StoredPlans(function)
        self.misses = 0
        self._direct = direct
        self._families: BoundedCache[Pattern | None, Family] = BoundedCache(MOST_FAMILIES)
        self._plans: BoundedCache[Any, AnyPlan] = BoundedCache(MOST_PLANS)
        self._planning = Admission(PLANNED_AT_ONCE)

    def __iter__(self) -> Iterator[AnyPlan]:
        return iter(list(self._plans.values()))

    def __len__(self) -> int:
        return len(self._plans)

    @property
    def evictions(self) -> int:
        return self._plans.evictions

    # ---- Families ------------------------------------------------------------------------------

    def pattern(self, values: list[Any]) -> Pattern:
        """Return which Optional arguments are None, the process's state if unusual, and hooks."""
        nones = tuple([values[index] is None for index in self.planner.optional])
        state, hooked = state_of_constants(), hooked_parts(values)
        if state == USUAL_STATE and not hooked:
            return nones
        return (*nones, state, HookedParts(hooked))

    def family(self, values: list[Any]) -> Family:
        """Return the family of a call; make it if there is none."""
        key = self.pattern(values)
        return self._families.get(key) or self._new_family(key)

    def _new_family(self, key: Pattern) -> Family:
        """Return a family for this pattern of None, or the one for all, if not worth planning."""
        with self.building:
            is_of_state = len(key) > len(self.planner.optional)
            is_wanted = STRICT.depth or is_of_state or self._planning.admits(key)
            known = key if is_wanted else None
            return self._families.get(known) or self._make_family(known)

    def _make_family(self, key: Pattern | None) -> Family:
        stored = None if key is None else self.stored.family(key)
        if key is None or stored is None:
            return self._families.put(key, self.planner.family(key))
        return self._families.put(key, self.planner.restored_family(key, stored))

    # ---- Plans ---------------------------------------------------------------------------------

    def known(self, family: Family, values: list[Any]) -> AnyPlan | None:
        """Return the plan for the signature of a call, if there is one."""
        return self._plans.get((family.key, family.kind_of(values)))

    def is_for_new_signatures(self, family: Family, plan: AnyPlan) -> bool:
        """Return whether a plan is the unfused one for signatures that do not come again."""
        return plan is self._plans.get((family.key, NEW_SIGNATURES))

    def lookup(self, values: list[Any]) -> Plan:
        """Return the plan for the signature of these arguments; build it if there is none.

        A signature has dtypes, devices and ranks, but no sizes other than one.
        """
        with self.building:
            key = self.pattern(values)
            family = self._families.get(key) or self._make_family(key)
            return self.made_plan(family, values)

    def plan(self, family: Family, values: list[Any]) -> AnyPlan:
        """Return the plan of a call: a known, stored or new one; unfused if not worth planning."""
        why = self._why_unfused(family, values)
        if why is not None:
            return self.unfused_plan(family, why)
        key = (family.key, family.kind_of(values))
        found = self._plans.used(key)
        if found is not None:
            return found
        if lacks_compiler(family, values):
            return self.unfused_plan(family, NO_COMPILER)
        if family.fuses and not self._planning.admits(key):
            return self.unfused_plan(family, NEW_SIGNATURES)
        stored = None if family.key is None else self.stored.plan(family.key, key[1])
        return self._keep(key, stored or self.planner.plan(family, values))

    def made_plan(self, family: Family, values: list[Any]) -> Plan:
        """Return the plan of a call with its graphs: a restored one is made again."""
        why = self._why_unfused(family, values)
        if why is not None:
            return self.unfused_plan(family, why)
        key = (family.key, family.kind_of(values))
        found = self._plans.used(key)
        if isinstance(found, Plan):
            return found
        if lacks_compiler(family, values):
            return self.unfused_plan(family, NO_COMPILER)
        plan = self.planner.plan(family, values)
        self._keep(key, plan)
        if found is not None:
            self._forget_unkept()
        return plan

    def unfused_plan(self, family: Family, why: str) -> Plan:
        """Return the plan of calls that run operator by operator, `why` being the remark's code."""
        key = (family.key, why)
        found = self._plans.used(key)
        if not isinstance(found, Plan):
            found = self.planner.unfused_plan(family, why)
            self._keep(key, found)
        return found

    def _why_unfused(self, family: Family, values: list[Any]) -> str | None:
        """Return the code of the reason not to fuse a call, or None.

        "observed": a transform of torch.func, a dispatch mode or autocast is active. "undefined": a
        tensor is None.
        """
        if not family.fuses:
            return None
        if is_observed():
            return "observed"
        for index in family.tensors:
            if values[index] is None:
                return "undefined"
        return None

    def _keep(self, key: Any, plan: AnyPlan) -> AnyPlan:
        """Add a new plan. If that evicts another plan, remove what is bound to it."""
        self.misses += 1
        before = self._plans.evictions
        self._plans.put(key, plan)
        if self._plans.evictions > before:
            self._forget_unkept()
        return plan

    def _forget_unkept(self) -> None:
        """Remove the bound plans whose plans were evicted."""
        kept = set(map(id, self._plans.values()))
        self._direct.clear()
        for family in list(self._families.values()):
            family.bound.discard(lambda bound: id(bound.plan) not in kept)
