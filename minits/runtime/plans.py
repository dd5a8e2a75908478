"""Plans: a Python function for each signature of calls.

A call's signature is which of its Optional arguments are None and, where the program has operators
that may be fused, what its tensors are like: dtype, device, rank, which dimensions are one,
contiguous or not, whether they require a gradient. The first call of a signature builds its plan:
the graph with what is known put in, optimised, fused, and turned into a Python function. Later
calls look it up; nothing is profiled, and nothing is optimised again behind the user's back. Other
sizes are no other signature.

Within a plan, kernels are bound to the exact shapes of calls; these are found by the key of the
call (`call_key.py`).

Source: DESIGN D5. torch profiles runs instead (torch/csrc/jit/runtime/
profiling_graph_executor_impl.cpp).
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import torch

from minits.bounded_cache import BoundedCache
from minits.collector import collector_paused
from minits.frontend.function import CompiledFunction
from minits.internal_error import internal_errors
from minits.ir.copying import clone_graph
from minits.ir.graph import Graph
from minits.kernels.admission import Admission
from minits.kernels.call_key import (
    KIND,
    KeyOf,
    attribute_text,
    function_modes,
    key_of_tensors,
    reader,
)
from minits.kernels.observers import is_observed, observer, outside_inference, undisturbed
from minits.passes.remarks import Remark, fix_for
from minits.records import dataclass, field
from minits.recursion import deep_recursion
from minits.runtime.direct_calls import DirectCalls
from minits.runtime.script_traceback import raise_explained
from minits.runtime.signature import Signature, Unusual, signature_of
from minits.runtime.strict_fusion import STRICT, check_strict
from minits.types import types as t
from minits.types.subtyping import union_members

if TYPE_CHECKING:
    from minits.codegen.groups import Group
    from minits.passes.module_flags import Flag
    from minits.runtime.fusing import Kernels

MOST_PLANS = 256
"""Plans that a function keeps; the one that was bound longest ago goes first."""
MOST_FAMILIES = 256
"""Patterns of None whose optimised graph is kept."""
PLANNED_AT_ONCE = 32
"""Patterns of None, and signatures, that have plans of their own when they come for the first time.
Planning takes as long as thousands of small operators: more of them have to come again."""
NEW_SIGNATURES = "new-signatures"
MOST_SHAPES = 1024
"""Calls whose plan is bound to their very shapes."""

Run = Callable[..., Any]
Pattern = tuple[Any, ...]
"""Which Optional arguments of a call are None; behind them a default device, if there is one, on
which the constants of the graph are."""


@dataclass(eq=False, slots=True)
class Plan:
    """A program made for one signature. `seconds` is what building it took."""

    signature: str
    unfused: Graph
    """The optimised graph, before anything was fused."""
    graph: Graph
    run: Run
    seconds: float
    fusion_remarks: list[Remark] = field(default_factory=list)
    groups: list[Group] = field(default_factory=list)
    kernels: Kernels = field(default_factory=list)
    hits: int = 0

    @property
    def remarks(self) -> list[Remark]:
        """What was fused and what was not, and which groups could not run as kernels."""
        return self.fusion_remarks + [remark for group in self.groups for remark in group.remarks()]


@dataclass(frozen=True, eq=False, slots=True)
class Bound:
    """What calls of one key run. `is_whole` if no part of it looks at its inputs again."""

    run: Run
    plan: Plan
    is_whole: bool = False


@dataclass(eq=False, slots=True)
class _Family:
    """What the plans of one None-ness share: the optimised graph.

    `fuses` tells whether it has operators that may be fused; where it has none, one plan is enough
    for all calls. `flags` are what it relies on of the module's attributes, `tensors` the arguments
    that matter.
    """

    key: Pattern | None
    description: str
    graph: Graph
    fuses: bool
    flags: list[Flag]
    tensors: list[int]
    seconds: float
    kind_of: KeyOf
    """The signature of a call: what tells plans apart."""
    key_of: KeyOf
    """The key of a call: what tells apart the calls of a plan as well."""
    flags_of: KeyOf
    bound: BoundedCache[Any, Bound]
    """What to run, by the key of a call."""
    is_whole: bool = False
    """Whether all kernels of the plan that was bound last read the call's own tensors."""
    unbound: Bound | None = None
    """What calls run whose shapes are not bound, where `is_whole`."""


def run_bound(bound: Bound, values: Sequence[Any]) -> Any:
    """Run a call. Raises what the program raises, with the places of the program."""
    bound.plan.hits += 1
    try:
        result = bound.run(*values)
    except Exception as error:
        raise_explained(error)
    if STRICT.depth:
        check_strict(bound.plan.remarks)
    return result


def _same_for_all(values: Sequence[Any]) -> Any:
    """The key of a call whose plan depends on nothing but which arguments are None."""
    return ()


def _fusing() -> Any:
    """The module that fuses, with all of kernels: it is loaded at the first call."""
    from minits.runtime import fusing

    return fusing


def shared_plans(function: CompiledFunction) -> Plans:
    """Return the plans of a method, which all objects of its type share.

    What they depend on of an object is in their keys: its attributes, as far as plans rely on them.
    """
    if function.plans is None:
        function.plans = Plans(function)
    plans: Plans = function.plans
    return plans


class Plans:
    """The plans of one function, by signature."""

    def __init__(self, function: CompiledFunction) -> None:
        self.function = function
        self.misses = 0
        self.admission = Admission()
        self.direct = DirectCalls(function.schema, self.admission)
        self._building = threading.RLock()
        self._families: BoundedCache[Pattern | None, _Family] = BoundedCache(MOST_FAMILIES)
        self._plans: BoundedCache[Any, Plan] = BoundedCache(MOST_PLANS)
        self._planning = Admission(PLANNED_AT_ONCE)
        self._optional = [
            index
            for index, argument in enumerate(function.schema.arguments)
            if t.NONE in union_members(argument.type) and argument.type != t.NONE
        ]

    def run(self, values: list[Any]) -> Any:
        """Call the plan for these arguments; build it if there is none."""
        return run_bound(self.bound(values), values)

    def bound(self, values: list[Any]) -> Bound:
        """Return what runs for these arguments."""
        family = self._family(values)
        admission = self.admission
        if admission.passing and admission.passes(values):
            return self._unbound(family, values)
        key = family.key_of(values)
        found = family.bound.get(key)
        if found is not None:
            admission.found += 1
            return found
        if not family.fuses or admission.admits(key, values):
            return self._bind(family, key, values)
        return self._unbound(family, values)

    def _unbound(self, family: _Family, values: list[Any]) -> Bound:
        """Return the plan of a call, without kernels that are bound to its shapes."""
        if family.is_whole:
            return family.unbound or self._bind_nothing(family)
        plan = self._plans.get((family.key, family.kind_of(values)))
        if plan is None:
            with self._building:
                plan = self._plan(family, values)
        return Bound(plan.run, plan)

    def _bind_nothing(self, family: _Family) -> Bound:
        """Return what runs calls of any signature operator by operator."""
        with self._building:
            plan = self._unfused_plan(family, "new-shapes")
            family.unbound = Bound(plan.run, plan)
            return family.unbound

    def lookup(self, values: list[Any]) -> Plan:
        """Return the plan for these arguments; build it if there is none."""
        with self._building:
            key = self._pattern(values)
            family = self._families.get(key) or self._make_family(key)
            return self._plan(family, values, is_wanted=True)

    def warm_up(self, values: list[Any]) -> None:
        """Build the plan of such calls and its kernels, as far as they can be foreseen."""
        with self._building, _fusing().building_now():
            plan = self.lookup(values)
            _fusing().warm_up(plan.graph, plan.run, plan.kernels)
            self.bound(values)

    def _family(self, values: list[Any]) -> _Family:
        key = self._pattern(values)
        return self._families.get(key) or self._new_family(key)

    def _pattern(self, values: list[Any]) -> Pattern:
        nones = tuple([values[index] is None for index in self._optional])
        return nones if not function_modes() else (*nones, torch.get_default_device())

    def _new_family(self, key: Pattern) -> _Family:
        """Return what plans of a pattern share; of one that is not worth it, what all share."""
        with self._building:
            is_wanted = STRICT.depth or function_modes() or self._planning.admits(key)
            known = key if is_wanted else None
            return self._families.get(known) or self._make_family(known)

    @internal_errors("building the kernels of a call")
    @undisturbed()
    def _bind(self, family: _Family, key: Any, values: list[Any]) -> Bound:
        """Find or build the plan of a call, bind its kernels to the call's shapes, and keep it."""
        with self._building:
            plan = self._plan(family, values, is_wanted=STRICT.depth > 0)
            if plan is self._plans.get((family.key, NEW_SIGNATURES)):
                return Bound(plan.run, plan)  # for this call alone
            run = None
            if plan.groups:
                if not plan.hits:
                    _fusing().build_kernels(plan.graph, plan.run, plan.kernels)
                try:
                    run = _fusing().bound(plan.graph, plan.run, values)
                except _fusing().BeingBuilt:
                    self.admission.bound -= 1
                    return Bound(plan.run, plan)  # for this call alone
            family.is_whole = run is not None and not _fusing().groups_in(run)
            return family.bound.put(key, Bound(run or plan.run, plan, family.is_whole))

    def _plan(self, family: _Family, values: list[Any], is_wanted: bool = False) -> Plan:
        """Return the plan of a call. One that is not wanted has to be worth building."""
        why = self._why_unfused(family, values)
        if why is not None:
            return self._unfused_plan(family, why)
        key = (family.key, family.kind_of(values))
        found = self._plans.used(key)
        if found is not None:
            return found
        if family.fuses and not is_wanted and not self._planning.admits(key):
            return self._unfused_plan(family, NEW_SIGNATURES)
        return self._keep(key, self._build(family, values))

    def _why_unfused(self, family: _Family, values: list[Any]) -> str | None:
        """Return the code of what keeps a call from being fused, None if nothing does.

        Somebody looks at single operators, or None is given for a tensor.
        """
        if not family.fuses:
            return None
        if is_observed():
            return "observed"
        for index in family.tensors:
            if values[index] is None:
                return "undefined"
        return None

    def _unfused_plan(self, family: _Family, why: str) -> Plan:
        plan = self._plans.used((family.key, why))
        if plan is None:
            description, message = {
                "observed": (
                    "operators are observed",
                    f"nothing is fused under {observer()}: it sees single operators",
                ),
                NEW_SIGNATURES: (
                    "signatures that do not come again",
                    "nothing is fused: most calls differ in what their arguments are like",
                ),
                "new-shapes": (
                    "shapes that do not come again",
                    "nothing is fused: small tensors of new shapes in most calls",
                ),
                "undefined": (
                    "a tensor is undefined",
                    "nothing is fused: an argument is None, and to the program it is a tensor",
                ),
            }[why]
            text = ", ".join(filter(None, [family.description, description]))
            fix = fix_for(why, "prim::FusionGroup")
            remark = Remark("missed", why, message, "prim::FusionGroup", fix=fix)
            plan = self._finish(family, text, family.graph, family.graph, [remark])
            self._keep((family.key, why), plan)
        return plan

    def _keep(self, key: Any, plan: Plan) -> Plan:
        """Keep a new plan. If another one goes for it, what is bound of that goes as well."""
        self.misses += 1
        before = self._plans.evictions
        self._plans.put(key, plan)
        if self._plans.evictions > before:
            kept = set(map(id, self._plans.values()))
            self.direct.clear()
            for family in list(self._families.values()):
                family.bound.discard(lambda bound: id(bound.plan) not in kept)
        return plan

    # ---- Building ------------------------------------------------------------------------------

    @internal_errors("planning a call")
    @collector_paused()
    @outside_inference()
    @deep_recursion()
    def _make_family(self, key: Pattern | None) -> _Family:
        """Make what the plans of a pattern of None share; without one, that of any pattern."""
        from minits.passes.module_flags import flags_of, tensor_attributes
        from minits.passes.pipeline import optimize
        from minits.passes.specialize import specialize

        started = time.perf_counter()
        is_none = {} if key is None else dict(zip(self._optional, key, strict=False))
        graph = specialize(self.function.graph, is_none)
        optimize(graph)
        fuses = key is not None and _fusing().may_fuse(graph)
        flags = flags_of(graph) if fuses else []
        tensors = []
        if fuses:
            tensors = [i for i, value in enumerate(graph.inputs) if value.type == t.TENSOR]
        asked = [flag.text for flag in flags]
        attributes = tensor_attributes(graph) if fuses else []
        kinds = [*asked, *[attribute_text(each, KIND) for each in attributes]]
        exact = [*asked, *[attribute_text(each) for each in attributes]]
        made = _Family(
            key=key,
            description=self._describe(is_none),
            graph=graph,
            fuses=fuses,
            flags=flags,
            tensors=tensors,
            seconds=time.perf_counter() - started,
            kind_of=key_of_tensors(tensors, kinds, KIND) if fuses else _same_for_all,
            key_of=key_of_tensors(tensors, exact) if fuses else _same_for_all,
            flags_of=reader(asked),
            bound=BoundedCache(MOST_SHAPES),
        )
        return self._families.put(key, made)

    @internal_errors("planning a call")
    @collector_paused()
    @undisturbed()
    @deep_recursion()
    def _build(self, family: _Family, values: list[Any]) -> Plan:
        started = time.perf_counter()
        flags = family.flags_of(values)
        signatures = tuple([signature_of(values[index]) for index in family.tensors])
        source, remarks = family.graph, list[Remark]()
        kernels: Kernels = []
        if flags:
            from minits.passes.module_flags import set_flags
            from minits.passes.pipeline import optimize

            source = clone_graph(source)
            set_flags(source, dict(zip(family.flags, flags, strict=True)))
            optimize(source)
        graph = source
        if family.fuses:
            graph, remarks, kernels = _fusing().fused(source, values)
        family.seconds += time.perf_counter() - started
        text = self._signature(family, flags, signatures)
        plan = self._finish(family, text, source, graph, remarks)
        plan.kernels = kernels
        return plan

    @internal_errors("generating the code of a plan")
    @deep_recursion()
    def _finish(
        self,
        family: _Family,
        signature: str,
        unfused: Graph,
        graph: Graph,
        remarks: list[Remark],
    ) -> Plan:
        from minits.codegen.python import compile_graph

        started = time.perf_counter()
        run = compile_graph(graph, self.function.name)
        groups = _fusing().groups_in(run)
        seconds = family.seconds + time.perf_counter() - started
        family.seconds = 0.0
        return Plan(signature, unfused, graph, run, seconds, remarks, groups)

    def _describe(self, is_none: dict[int, bool]) -> str:
        arguments = self.function.schema.arguments
        return ", ".join(
            f"{arguments[index].name} is {'None' if none else 'given'}"
            for index, none in is_none.items()
        )

    def _signature(
        self,
        family: _Family,
        flags: tuple[bool, ...],
        signatures: tuple[Signature | Unusual, ...],
    ) -> str:
        arguments = self.function.schema.arguments
        parts = [each.describe(is_on) for each, is_on in zip(family.flags, flags, strict=True)]
        parts += [
            signature.describe(arguments[index].name)
            for index, signature in zip(family.tensors, signatures, strict=True)
        ]
        return ", ".join(filter(None, [family.description, *parts])) or "any arguments"

    # ---- Reports -------------------------------------------------------------------------------

    def __iter__(self) -> Iterator[Plan]:
        return iter(list(self._plans.values()))

    def report(self) -> str:
        """Return a line for each plan: its signature, what building it took, and its use."""
        if not self._plans:
            return "no plan has been built"
        lines = []
        for plan in self:
            lines.append(
                f"{plan.signature}: built in {plan.seconds * 1e3:.2f} ms, used {plan.hits}x"
            )
            lines += [f"  {line}" for group in plan.groups for line in group.report()]
        calls = sum(plan.hits for plan in self)
        hits = max(0, calls - self.misses)
        if self.admission.unbound:
            lines.append(f"{self.admission.unbound} calls of new shapes ran unbound")
        lines.append(f"hits {hits}, misses {self.misses}, evictions {self._plans.evictions}")
        return "\n".join(lines)
