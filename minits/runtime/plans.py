"""Plans: a Python function for each signature of calls.

A call's signature is which of its Optional arguments are None and, where the program has operators
that may be fused, what its tensors are like: dtype, device, rank, which dimensions are one,
contiguous or not, whether they require a gradient. The first call of a signature builds its plan:
the graph with what is known put in, optimised, fused, and turned into a Python function. Later
calls look it up; nothing is profiled, and nothing is optimised again behind the user's back. Other
sizes are no other signature. The first two calls of all run the program as it was written, unless
the user wants them planned (MINITS_BUILD) or an earlier process has left the plan on disk.

Within a plan, kernels are bound to the exact shapes of calls; these are found by the key of the
call (`call_key.py`). `plan_table.py` keeps the plans and has the missing ones made; this file binds
and runs them.

Source: ours. torch profiles runs instead (torch/csrc/jit/runtime/
profiling_graph_executor_impl.cpp).
"""

from __future__ import annotations

import errno
import struct
from collections.abc import Hashable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from torch import Tensor

from minits.codegen.script_traceback import raise_explained
from minits.frontend.calls.none_defaults import helps_for_none
from minits.frontend.values.function import CompiledFunction
from minits.internal_error import internal_errors
from minits.kernels.cpu.background import calls_as_written
from minits.kernels.launch.admission import Admission
from minits.kernels.launch.checkpoints import run_again_alike, runs_again_fused, unobserved
from minits.kernels.launch.launch import CallRefused
from minits.kernels.launch.observers import undisturbed
from minits.native.modes import loops_in
from minits.records import replace
from minits.runtime.absent_devices import AbsentDevices
from minits.runtime.any_sizes import binder_of, bound_for_any_sizes, is_worth_binding
from minits.runtime.direct_calls import DirectCalls
from minits.runtime.first_errors import FirstErrors
from minits.runtime.hook_tables import hooked_parts
from minits.runtime.plan import AnyPlan, Bound, Family, Plan, RestoredPlan, Run
from minits.runtime.plan_table import PlanTable
from minits.runtime.planning import (
    NEW_SHAPES,
    NOT_PLAIN,
    UNOPTIMIZED,
    fusing_module,
)
from minits.runtime.repeated_calls import Attributes
from minits.runtime.stored_plans import restored_bound
from minits.runtime.strict_fusion import STRICT, check_strict
from minits.torch_internals import dispatch_modes, watching_modes
from minits.types.tensor_meta import is_plain

if TYPE_CHECKING:
    from minits.ir.graph import Graph
    from minits.passes.context import Context

_NO_FILES = (errno.EMFILE, errno.ENFILE)
"""Errors of a process, or of a system, that has too many files open."""


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
        self.place: Hashable = None
        """The fork of a task. Each plan of a program has its own `Plans` of the task."""
        self.admission = Admission()
        self.direct = DirectCalls(function.schema, self.admission)
        self._written: Plan | None = None
        """The program as it was written, which its first calls run."""
        self._may_be_written = not plans_first_call
        self._table = PlanTable(function, self.direct)
        self._errors = FirstErrors(self._table.planner)
        self._absent = AbsentDevices(function)

    @property
    def misses(self) -> int:
        """The number of plans that were made."""
        return self._table.misses

    def run(self, values: list[Any]) -> Any:
        """Call the plan for these arguments; build it if there is none."""
        return self.run_bound(self.bound(values), values)

    def run_bound(self, bound: Bound, values: Sequence[Any]) -> Any:
        """Run a bound plan, and write the plans that were noted meanwhile."""
        bound.plan.hits += 1
        try:
            result = bound.run(*values)
        except Exception as error:
            result = self.after_error(error, bound.plan, values)
        self._after(bound.plan)
        return result

    def run_inner(self, values: list[Any]) -> Any:
        """Call the plan from within another one, which explains what the call raises."""
        bound = self.bound(values)
        bound.plan.hits += 1
        try:
            result = bound.run(*values)
        except Exception as error:
            result = self._after_kernels(error, bound.plan, values)
        self._after(bound.plan)
        return result

    def _after(self, plan: AnyPlan) -> None:
        if STRICT.depth and isinstance(plan, Plan):
            check_strict(plan.remarks)
        if self._table.stored.has_noted:
            self._write_noted()

    def after_error(self, error: Exception, plan: AnyPlan, values: Sequence[Any]) -> Any:
        """Return the result of a call whose plan raised an error, where only a kernel is at fault.

        Raises the error of the program otherwise: it shows the program's lines.
        """
        try:
            result = self._after_kernels(error, plan, values)
        except Exception as first:
            told = self._absent.told(first)
            raise_explained(told, helps_for_none(self.function.schema, values))
        return result

    def _after_kernels(self, error: Exception, plan: AnyPlan, values: Sequence[Any]) -> Any:
        if isinstance(error, struct.error) and plan.groups:  # a number that has no place in it
            return self._errors.without_kernels(plan, values)
        first = self._errors.of(error, plan, values)
        if first is error:
            raise error
        raise first from None

    @internal_errors("storing a plan")
    def _write_noted(self) -> None:
        with self._table.building:
            self._table.stored.write()

    def bound(self, values: list[Any]) -> Bound:
        """Return the bound plan for these arguments: a remembered, restored or new one.

        While the process can open no file, a call that would be planned runs as it was written.
        Raises OSError for a program whose result would be another one.
        """
        try:
            return self._bound(values)
        except OSError as fault:
            plan = self._table.planner.as_written() if fault.errno in _NO_FILES else None
            if plan is None:
                raise
            return Bound(plan.run, plan)

    def _bound(self, values: list[Any]) -> Bound:
        if (dispatch_modes() or watching_modes()) and runs_again_fused(self.place or self):
            with unobserved():
                fused = self.bound(values)
            return Bound(unobserved()(fused.run), fused.plan)
        if STRICT.unoptimized:
            return self._unoptimized(values)
        if self._may_be_written:
            first = self._first(values)
            if first is not None:
                return first
        family = self._table.family(values)
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
        """Return a plan of the unoptimised graph for one of the first calls.

        None if that call is planned like the later ones, or an earlier process has planned such
        calls. Sizes that are symbols stay ints in plans; as written, a trace makes tensors of them.
        """
        calls = 0 if self._written is None else self._written.hits
        self._may_be_written = False
        if self._table or STRICT.depth or calls >= calls_as_written() or hooked_parts(values):
            return None
        if any(map(_has_symbols, values)):
            return None
        with self._table.building:
            if self._table.stored.family(self._table.pattern(values)) is not None:
                return None
            plan = self._written or self._table.planner.as_written()
            if plan is None:
                return None
            self._written, self._may_be_written = plan, True
            return Bound(plan.run, plan)

    def _for_any_sizes(self, family: Family, values: list[Any]) -> Bound | None:
        """Return a plan bound for all sizes of calls with this signature, or None."""
        plan = self._table.known(family, values)
        if not isinstance(plan, Plan):
            return None
        return bound_for_any_sizes(plan, values, self._run_bound)

    def _run_bound(self, *values: Any) -> Any:
        """Run a call whose tensors the launcher for any sizes does not accept."""
        given = list(values)
        return self._bound_to_sizes(self._table.family(given), given).run(*given)

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
        plan = self._table.known(family, values)
        if plan is None:
            with self._table.building:
                plan = self._table.plan(family, values)
        return Bound(plan.run, plan)

    def _unoptimized(self, values: list[Any]) -> Bound:
        """Return the plan of a call that fuses nothing."""
        family = self._table.family(values)
        with self._table.building:
            plan = self._table.unfused_plan(family, UNOPTIMIZED)
            return Bound(plan.run, plan)

    def _bind_nothing(self, family: Family) -> Bound:
        """Return an unfused plan, which runs calls of any signature operator by operator."""
        with self._table.building:
            plan = self._table.unfused_plan(family, NEW_SHAPES)
            family.unbound = Bound(plan.run, plan)
            return family.unbound

    def asked_of(self, values: Sequence[Any], bound: Bound) -> tuple[bool, Attributes] | None:
        """Return whether a bound plan relies on its tensors, and on which attributes.

        None unless it is kept for calls with these arguments, or for those of any sizes.
        """
        family = self._table.family(list(values))
        is_kept = bound.is_for_any_sizes or family.bound.get(family.key_of(values)) is bound
        if not is_kept:
            return None
        if not family.fuses:
            return False, Attributes((), ())
        return True, Attributes([flag.text for flag in family.flags], family.attributes)

    def lookup(self, values: list[Any]) -> Plan:
        """Return the plan for the signature of these arguments; build it if there is none.

        A signature has dtypes, devices and ranks, but no sizes other than one.
        """
        return self._table.lookup(values)

    def context(self, graph: Graph, values: list[Any]) -> Context:
        """Return the `Context` of the passes of a plan for these arguments, run on `graph`."""
        return self._table.planner.context(graph, self._table.pattern(values), values)

    def warm_up(self, values: list[Any]) -> None:
        """Build the plan of such calls, and its kernels as far as inputs are known in advance."""
        with self._table.building, fusing_module().building_now():
            plan = self.lookup(values)
            fusing_module().warm_up(plan.graph, plan.run, plan.kernels)
            self.bound(values)

    @internal_errors("building the kernels of a call")
    @undisturbed()
    def _bind(self, family: Family, key: Any, values: list[Any]) -> Bound:
        """Find or build the plan of a call, bind its kernels to the call's shapes, and keep it."""
        with self._table.building:
            make = self._table.made_plan if STRICT.depth else self._table.plan
            plan: AnyPlan = make(family, values)
            if isinstance(plan, RestoredPlan):
                bound = restored_bound(plan, key)
                if bound is not None:
                    family.is_whole = bound.is_whole
                    return self._keep_bound(family, key, values, bound)
                plan = self._table.made_plan(family, values)
            if self._table.is_for_new_signatures(family, plan):
                return Bound(plan.run, plan)  # for this call alone
            run = None
            if plan.groups:
                if not plan.hits:
                    fusing_module().build_kernels(plan.graph, plan.run, plan.kernels)
                try:
                    run = None if plan.native else binder_of(plan).bind(values)
                except (fusing_module().BeingBuilt, CallRefused):
                    self.admission.bound -= 1
                    return Bound(plan.run, plan)  # for this call alone
            family.is_whole = run is not None and not fusing_module().groups_in(run)
            if plan.native is None or plan.groups:  # one on disk has no graph to make C of
                self._table.stored.note(family, values, plan)
            bound = Bound(run or plan.native or plan.run, plan, family.is_whole)
            return self._keep_bound(family, key, values, bound)

    def _keep_bound(self, family: Family, key: Any, values: list[Any], bound: Bound) -> Bound:
        if family.fuses and not all(is_plain(values[index]) for index in family.tensors):
            unfused = partial(self._not_plain, family)
            run = run_again_alike(bound.run, unfused, self.place or self)
            bound = replace(bound, run=run)
        return family.bound.put(key, bound)

    def _not_plain(self, family: Family) -> Run:
        with self._table.building:
            return self._table.unfused_plan(family, NOT_PLAIN).run

    # ---- Reports -------------------------------------------------------------------------------

    def __iter__(self) -> Iterator[AnyPlan]:
        return iter(self._table)

    def report(self) -> str:
        """Return a line for each plan: its signature, what building it took, and its use."""
        if not self._table:
            calls = 0 if self._written is None else self._written.hits
            which = "the first call" if calls == 1 else f"{calls} calls"
            first = f"; {which} ran the program as it was written" if calls else ""
            return f"no plan has been built{first}"
        lines = []
        for plan in self:
            came = "read from disk"
            if isinstance(plan, Plan):
                came = f"built in {plan.seconds * 1e3:.2f} ms"
            lines.append(f"{plan.signature}: {came}, used {plan.hits}x")
            if isinstance(plan, Plan) and plan.native is not None:
                lines.append(f"  {plan.native.report()}")
            lines += [f"  {line}" for loop in loops_in(plan.run) for line in loop.report()]
            lines += [f"  {line}" for group in plan.groups for line in group.report()]
            lines += [
                f"  task: {line}" for each in plan.tasks for line in each.report().split("\n")
            ]
        calls = sum(plan.hits for plan in self)
        hits = max(0, calls - self.misses)
        if self.admission.unbound:
            lines.append(f"{self.admission.unbound} calls of new shapes ran unbound")
        lines.append(f"hits {hits}, misses {self.misses}, evictions {self._table.evictions}")
        return "\n".join(lines)


def _has_symbols(value: Any) -> bool:
    """Return whether a tensor has sizes that are symbols, of torch.export and make_fx.

    Nested tensors tell no sizes, and one that a transform wraps does not say that it is nested.
    """
    if not isinstance(value, Tensor) or value.is_nested:
        return False
    try:
        return any(type(size) is not int for size in value.shape)
    except RuntimeError:
        return False
