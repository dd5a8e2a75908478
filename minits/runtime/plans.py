"""Plans: a Python function for each signature of calls.

A call's signature is which of its Optional arguments are None and, where the program has operators
that may be fused, what its tensors are like: dtype, device, rank, which dimensions are one,
contiguous or not, whether they require a gradient. The first call of a signature builds its plan:
the graph with what is known put in, optimised, fused, and turned into a Python function. Later
calls look it up; nothing is profiled, and nothing is optimised again behind the user's back. Other
sizes are no other signature. The first call of all runs the program as it was written, unless the
user wants it planned (MINITS_BUILD=now) or an earlier process has left its plan on disk.

Within a plan, kernels are bound to the exact shapes of calls; these are found by the key of the
call (`call_key.py`).

Source: DESIGN D5. torch profiles runs instead (torch/csrc/jit/runtime/
profiling_graph_executor_impl.cpp).
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NoReturn

from minits.bounded_cache import BoundedCache
from minits.codegen.script_traceback import raise_explained
from minits.frontend.values.function import CompiledFunction
from minits.internal_error import internal_errors
from minits.kernels.cpu.background import plans_first_calls
from minits.kernels.launch.admission import Admission
from minits.kernels.launch.call_key import USUAL_STATE, state_of_constants
from minits.kernels.launch.checkpoints import run_again_alike, runs_again_fused, unobserved
from minits.kernels.launch.launch import CallRefused
from minits.kernels.launch.observers import is_observed, undisturbed
from minits.records import replace
from minits.runtime.any_sizes import binder_of, bound_for_any_sizes, is_worth_binding
from minits.runtime.direct_calls import DirectCalls
from minits.runtime.first_errors import FirstErrors
from minits.runtime.plan import AnyPlan, Bound, Family, Pattern, Plan, RestoredPlan
from minits.runtime.planning import (
    NEW_SHAPES,
    NEW_SIGNATURES,
    NO_COMPILER,
    NOT_PLAIN,
    UNOPTIMIZED,
    Planner,
    fusing_module,
    lacks_compiler,
)
from minits.runtime.stored_plans import StoredPlans, restored_bound
from minits.runtime.strict_fusion import STRICT, check_strict
from minits.torch_internals import dispatch_modes
from minits.types.tensor_meta import is_plain

if TYPE_CHECKING:
    from minits.ir.graph import Graph
    from minits.passes.context import Context

MOST_PLANS = 256
"""Plans that a function keeps; the one that was bound longest ago goes first."""
MOST_FAMILIES = 256
"""Patterns of None whose optimised graph is kept."""
PLANNED_AT_ONCE = 32
"""Patterns of None, and signatures, that have plans of their own when they come for the first time.
Planning takes as long as thousands of small operators: more of them have to come again."""


def shared_plans(function: CompiledFunction) -> Plans:
    """Return the plans of a method, which all objects of its type share.

    The keys of the plans hold the attributes of an object that plans depend on.
    """
    if function.plans is None:
        function.plans = Plans(function)
    plans: Plans = function.plans
    return plans


class Plans:
    """The plans of one function, by signature.

    plans_first_call: the first call does not run the program as it was written, but is planned.
    """

    def __init__(self, function: CompiledFunction, plans_first_call: bool = False) -> None:
        self.function = function
        self.misses = 0
        self.generation = 0
        """The number of evictions: what others remember of a plan is for one generation."""
        self.admission = Admission()
        self.direct = DirectCalls(function.schema, self.admission)
        self._is_called = plans_first_call
        self._building = threading.RLock()
        self._families: BoundedCache[Pattern | None, Family] = BoundedCache(MOST_FAMILIES)
        self._plans: BoundedCache[Any, AnyPlan] = BoundedCache(MOST_PLANS)
        self._planning = Admission(PLANNED_AT_ONCE)
        self._planner = Planner(function)
        self._stored = StoredPlans(function)
        self._errors = FirstErrors(self._planner)

    def run(self, values: list[Any]) -> Any:
        """Call the plan for these arguments; build it if there is none."""
        return self.run_bound(self.bound(values), values)

    def run_bound(self, bound: Bound, values: Sequence[Any]) -> Any:
        """Run a bound plan, and write the plans that were noted meanwhile."""
        bound.plan.hits += 1
        try:
            result = bound.run(*values)
        except Exception as error:
            self.raise_first(error, bound.plan, values)
        self._after(bound.plan)
        return result

    def run_inner(self, values: list[Any]) -> Any:
        """Call the plan from within another one, which explains what the call raises."""
        bound = self.bound(values)
        bound.plan.hits += 1
        try:
            result = bound.run(*values)
        except Exception as error:
            first = self._errors.of(error, bound.plan, values)
            if first is error:
                raise
            raise first from None
        self._after(bound.plan)
        return result

    def _after(self, plan: AnyPlan) -> None:
        if STRICT.depth and isinstance(plan, Plan):
            check_strict(plan.remarks)
        if self._stored.has_noted:
            self._write_noted()

    def raise_first(self, error: Exception, plan: AnyPlan, values: Sequence[Any]) -> NoReturn:
        """Raise the error of a call, given what its plan raised: it shows the program's lines."""
        raise_explained(self._errors.of(error, plan, values))

    @internal_errors("storing a plan")
    def _write_noted(self) -> None:
        with self._building:
            self._stored.write()

    def bound(self, values: list[Any]) -> Bound:
        """Return the bound plan for these arguments: a remembered, restored or new one."""
        if dispatch_modes() and runs_again_fused():
            with unobserved():
                fused = self.bound(values)
            return Bound(unobserved()(fused.run), fused.plan)
        if STRICT.unoptimized:
            return self._unoptimized(values)
        if not self._is_called:
            first = self._first(values)
            if first is not None:
                return first
        family = self._family(values)
        admission = self.admission
        if admission.passing and admission.passes(values):
            return self._unbound(family, values)
        key = family.key_of(values)
        try:
            found = self._found(family, key)
        except TypeError:  # a size that is a symbol, of torch.export and make_fx, has no hash
            return self._unoptimized(values)
        if found is not None:
            admission.found += 1
            return found
        any_sizes = self._for_any_sizes(family, values) if family.fuses else None
        if any_sizes is not None and not is_worth_binding(admission, key, any_sizes):
            return any_sizes
        if any_sizes is not None or not family.fuses:
            return self._bind(family, key, values)
        return self._newly_bound(family, key, values)

    def _first(self, values: list[Any]) -> Bound | None:
        """Return a plan of the unoptimised graph for the first call of all.

        None if that call is planned like the later ones, or an earlier process has planned such
        calls.
        """
        self._is_called = True
        if self._plans or STRICT.depth or plans_first_calls():
            return None
        with self._building:
            if self._stored.family(self._pattern(values)) is not None:
                return None
            plan = self._planner.as_written()
            return Bound(plan.run, plan) if plan is not None else None

    def _for_any_sizes(self, family: Family, values: list[Any]) -> Bound | None:
        """Return a plan bound for all sizes of calls with this signature, or None."""
        plan = self._plans.get((family.key, family.kind_of(values)))
        if not isinstance(plan, Plan):
            return None
        return bound_for_any_sizes(plan, values, self._run_bound)

    def _run_bound(self, *values: Any) -> Any:
        """Run a call whose tensors the launcher for any sizes does not accept."""
        given = list(values)
        return self._bound_to_sizes(self._family(given), given).run(*given)

    def _bound_to_sizes(self, family: Family, values: list[Any]) -> Bound:
        key = family.key_of(values)
        return self._found(family, key) or self._newly_bound(family, key, values)

    def _newly_bound(self, family: Family, key: Any, values: list[Any]) -> Bound:
        if self.admission.admits(key, values):
            return self._bind(family, key, values)
        return self._unbound(family, values)

    def _found(self, family: Family, key: Any) -> Bound | None:
        """Return the bound plan of a key, or None.

        Strict fusion takes no restored plan, which has no remarks.
        """
        found = family.bound.get(key)
        if found is not None and STRICT.depth and isinstance(found.plan, RestoredPlan):
            return None
        return found

    def _unbound(self, family: Family, values: list[Any]) -> Bound:
        """Return the plan of a call, without kernels that are bound to its shapes."""
        if family.is_whole:
            return family.unbound or self._bind_nothing(family)
        plan = self._plans.get((family.key, family.kind_of(values)))
        if plan is None:
            with self._building:
                plan = self._plan(family, values)
        return Bound(plan.run, plan)

    def _unoptimized(self, values: list[Any]) -> Bound:
        """Return the plan of a call that fuses nothing."""
        family = self._family(values)
        with self._building:
            plan = self._unfused_plan(family, UNOPTIMIZED)
            return Bound(plan.run, plan)

    def _bind_nothing(self, family: Family) -> Bound:
        """Return an unfused plan, which runs calls of any signature operator by operator."""
        with self._building:
            plan = self._unfused_plan(family, NEW_SHAPES)
            family.unbound = Bound(plan.run, plan)
            return family.unbound

    def attributes_of(self, values: Sequence[Any], bound: Bound) -> list[str] | None:
        """Return expressions of `values` that tell the attributes on which a bound plan relies.

        None unless it is kept for calls with these arguments.
        """
        family = self._family(list(values))
        if family.bound.get(family.key_of(values)) is not bound:
            return None
        return family.attribute_texts

    def lookup(self, values: list[Any]) -> Plan:
        """Return the plan for the signature of these arguments; build it if there is none.

        A signature has dtypes, devices and ranks, but no sizes other than one.
        """
        with self._building:
            key = self._pattern(values)
            family = self._families.get(key) or self._make_family(key)
            return self._made_plan(family, values)

    def context(self, graph: Graph, values: list[Any]) -> Context:
        """Return the `Context` of the passes of a plan for these arguments, run on `graph`."""
        return self._planner.context(graph, self._pattern(values), values)

    def warm_up(self, values: list[Any]) -> None:
        """Build the plan of such calls, and its kernels as far as inputs are known in advance."""
        with self._building, fusing_module().building_now():
            plan = self.lookup(values)
            fusing_module().warm_up(plan.graph, plan.run, plan.kernels)
            self.bound(values)

    def _family(self, values: list[Any]) -> Family:
        key = self._pattern(values)
        return self._families.get(key) or self._new_family(key)

    def _pattern(self, values: list[Any]) -> Pattern:
        nones = tuple([values[index] is None for index in self._planner.optional])
        state = state_of_constants()
        return nones if state == USUAL_STATE else (*nones, state)

    def _new_family(self, key: Pattern) -> Family:
        """Return a family for this pattern of None, or the one for all, if not worth planning."""
        with self._building:
            is_of_state = len(key) > len(self._planner.optional)
            is_wanted = STRICT.depth or is_of_state or self._planning.admits(key)
            known = key if is_wanted else None
            return self._families.get(known) or self._make_family(known)

    @internal_errors("building the kernels of a call")
    @undisturbed()
    def _bind(self, family: Family, key: Any, values: list[Any]) -> Bound:
        """Find or build the plan of a call, bind its kernels to the call's shapes, and keep it."""
        with self._building:
            plan = self._made_plan(family, values) if STRICT.depth else self._plan(family, values)
            if isinstance(plan, RestoredPlan):
                bound = restored_bound(plan, key)
                if bound is not None:
                    family.is_whole = bound.is_whole
                    return self._keep_bound(family, key, values, bound)
                plan = self._made_plan(family, values)
            if plan is self._plans.get((family.key, NEW_SIGNATURES)):
                return Bound(plan.run, plan)  # for this call alone
            run = None
            if plan.groups:
                if not plan.hits:
                    fusing_module().build_kernels(plan.graph, plan.run, plan.kernels)
                try:
                    run = binder_of(plan).bind(values)
                except (fusing_module().BeingBuilt, CallRefused):
                    self.admission.bound -= 1
                    return Bound(plan.run, plan)  # for this call alone
            family.is_whole = run is not None and not fusing_module().groups_in(run)
            self._stored.note(family, values, plan)
            bound = Bound(run or plan.run, plan, family.is_whole)
            return self._keep_bound(family, key, values, bound)

    def _keep_bound(self, family: Family, key: Any, values: list[Any], bound: Bound) -> Bound:
        if family.fuses and not all(is_plain(values[index]) for index in family.tensors):
            run = run_again_alike(bound.run, lambda: self._not_plain(family).run)
            bound = replace(bound, run=run)
        return family.bound.put(key, bound)

    def _not_plain(self, family: Family) -> Plan:
        with self._building:
            return self._unfused_plan(family, NOT_PLAIN)

    def _plan(self, family: Family, values: list[Any]) -> AnyPlan:
        """Return the plan of a call: a known, stored or new one; unfused if not worth planning."""
        why = self._why_unfused(family, values)
        if why is not None:
            return self._unfused_plan(family, why)
        key = (family.key, family.kind_of(values))
        found = self._plans.used(key)
        if found is not None:
            return found
        if lacks_compiler(family, values):
            return self._unfused_plan(family, NO_COMPILER)
        if family.fuses and not self._planning.admits(key):
            return self._unfused_plan(family, NEW_SIGNATURES)
        stored = None if family.key is None else self._stored.plan(family.key, key[1])
        return self._keep(key, stored or self._planner.plan(family, values))

    def _made_plan(self, family: Family, values: list[Any]) -> Plan:
        """Return the plan of a call with its graphs: a restored one is made again."""
        why = self._why_unfused(family, values)
        if why is not None:
            return self._unfused_plan(family, why)
        key = (family.key, family.kind_of(values))
        found = self._plans.used(key)
        if isinstance(found, Plan):
            return found
        if lacks_compiler(family, values):
            return self._unfused_plan(family, NO_COMPILER)
        plan = self._planner.plan(family, values)
        self._keep(key, plan)
        if found is not None:
            self._forget_unkept()
        return plan

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

    def _unfused_plan(self, family: Family, why: str) -> Plan:
        key = (family.key, why)
        found = self._plans.used(key)
        if not isinstance(found, Plan):
            found = self._planner.unfused_plan(family, why)
            self._keep(key, found)
        return found

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
        self.generation += 1
        self.direct.clear()
        for family in list(self._families.values()):
            family.bound.discard(lambda bound: id(bound.plan) not in kept)

    def _make_family(self, key: Pattern | None) -> Family:
        stored = None if key is None else self._stored.family(key)
        if key is None or stored is None:
            return self._families.put(key, self._planner.family(key))
        return self._families.put(key, self._planner.restored_family(key, stored))

    # ---- Reports -------------------------------------------------------------------------------

    def __iter__(self) -> Iterator[AnyPlan]:
        return iter(list(self._plans.values()))

    def report(self) -> str:
        """Return a line for each plan: its signature, what building it took, and its use."""
        if not self._plans:
            first = "; the first call ran the program as it was written" if self._is_called else ""
            return f"no plan has been built{first}"
        lines = []
        for plan in self:
            came = "read from disk"
            if isinstance(plan, Plan):
                came = f"built in {plan.seconds * 1e3:.2f} ms"
            lines.append(f"{plan.signature}: {came}, used {plan.hits}x")
            lines += [f"  {line}" for group in plan.groups for line in group.report()]
            lines += [
                f"  task: {line}" for each in plan.tasks for line in each.report().split("\n")
            ]
        calls = sum(plan.hits for plan in self)
        hits = max(0, calls - self.misses)
        if self.admission.unbound:
            lines.append(f"{self.admission.unbound} calls of new shapes ran unbound")
        lines.append(f"hits {hits}, misses {self.misses}, evictions {self._plans.evictions}")
        return "\n".join(lines)
