"""Plans: a Python function for each signature of calls.

A call's signature is which of its Optional arguments are None and, where the program has operators
that may be fused, what its tensors are like: dtype, device, rank, which dimensions are one,
contiguous or not, whether they require a gradient. The first call of a signature builds its plan:
the graph with what is known put in, optimised, fused, and turned into a Python function. Later
calls look it up; nothing is profiled, and nothing is optimised again behind the user's back. Other
sizes are no other signature.

Source: DESIGN D5. torch profiles runs instead (torch/csrc/jit/runtime/
profiling_graph_executor_impl.cpp).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from minits.codegen.python import compile_graph
from minits.collector import collector_paused
from minits.frontend.function import CompiledFunction
from minits.ir.copying import clone_graph
from minits.ir.graph import Graph
from minits.kernels.call_key import KeyOf, key_of_tensors
from minits.passes.module_flags import Flag, flags_of, set_flags
from minits.passes.pipeline import optimize
from minits.passes.remarks import Remark, fix_for
from minits.passes.specialize import specialize
from minits.records import dataclass, field
from minits.runtime.direct_calls import DirectCalls
from minits.runtime.observers import is_observed, observer
from minits.runtime.script_traceback import raise_explained
from minits.runtime.signature import Signature, signature_of
from minits.runtime.strict_fusion import STRICT, check_strict
from minits.types import types as t
from minits.types.subtyping import union_members

if TYPE_CHECKING:
    from minits.codegen.groups import Group
    from minits.runtime.fusing import Kernels

MOST_PLANS = 64
"""Plans that a function keeps; the one that was used longest ago goes first."""
MOST_SHAPES = 256
"""Exact shapes whose plan is known without looking at them more closely."""

Run = Callable[..., Any]


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


@dataclass(eq=False, slots=True)
class _Family:
    """What the plans of one None-ness share: the optimised graph.

    `fuses` tells whether it has operators that may be fused; where it has none, one plan is enough
    for all calls. `flags` are what it relies on of the module's attributes, `tensors` the arguments
    that matter.
    """

    key: tuple[bool, ...]
    description: str
    graph: Graph
    fuses: bool
    flags: list[Flag]
    tensors: list[int]
    seconds: float
    key_of: KeyOf
    shapes: dict[Any, tuple[Run, Plan]] = field(default_factory=dict)
    """What to run for tensors of these very shapes and strides."""


def _fusing() -> Any:
    """The module that fuses, with all of kernels: it is loaded at the first call."""
    from minits.runtime import fusing

    return fusing


class Plans:
    """The plans of one function, by signature."""

    def __init__(self, function: CompiledFunction) -> None:
        self.function = function
        self.misses = 0
        self.evictions = 0
        self.direct = DirectCalls(function.schema)
        self.newest: tuple[Run, Plan] | None = None
        """What was bound last to the shapes of a call, with all its kernels."""
        self._families: dict[tuple[bool, ...], _Family] = {}
        self._plans: dict[Any, Plan] = {}
        self._optional = [
            index
            for index, argument in enumerate(function.schema.arguments)
            if t.NONE in union_members(argument.type) and argument.type != t.NONE
        ]

    def run(self, values: list[Any]) -> Any:
        """Call the plan for these arguments; build it if there is none."""
        family = self._family(values)
        why = self._why_unfused(family, values)
        if why is not None:
            plan = self._unfused_plan(family, why)
            run = plan.run
        else:
            found = family.shapes.get(family.key_of(values))
            run, plan = found or self._remember(family, values)
        plan.hits += 1
        try:
            result = run(*values)
        except Exception as error:
            raise_explained(error)
        if STRICT.depth:
            check_strict(plan.remarks)
        return result

    def lookup(self, values: list[Any]) -> Plan:
        """Return the plan for these arguments; build it if there is none."""
        family = self._family(values)
        why = self._why_unfused(family, values)
        return self._plan(family, values) if why is None else self._unfused_plan(family, why)

    def _family(self, values: list[Any]) -> _Family:
        key = tuple([values[index] is None for index in self._optional])
        family = self._families.get(key)
        if family is None:
            family = self._families[key] = self._make_family(key)
        return family

    def _remember(self, family: _Family, values: list[Any]) -> tuple[Run, Plan]:
        plan = self._plan(family, values)
        if len(family.shapes) >= MOST_SHAPES:
            family.shapes.clear()
        run = None
        if plan.groups:
            if not plan.hits:
                _fusing().build_kernels(plan.graph, plan.run, plan.kernels)
            run = _fusing().bound(plan.graph, plan.run, values)
        found = (run or plan.run, plan)
        family.shapes[family.key_of(values)] = found
        if run is not None and not _fusing().groups_in(run):
            self.newest = found
        return found

    def _plan(self, family: _Family, values: list[Any]) -> Plan:
        signatures = tuple([signature_of(values[index]) for index in family.tensors])
        flags = family.key_of(values)[: len(family.flags)]
        key = (family.key, flags, signatures)
        plan = self._plans.pop(key, None)
        if plan is None:
            plan = self._build(family, values, flags, signatures)
            self._make_room()
        self._plans[key] = plan  # the one used last is the last to go
        return plan

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
        plan = self._plans.get((family.key, why))
        if plan is None:
            description, message = {
                "observed": (
                    "operators are observed",
                    f"nothing is fused under {observer()}: it sees single operators",
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
            self._make_room()
            self._plans[family.key, why] = plan
        return plan

    def _make_room(self) -> None:
        self.misses += 1
        if len(self._plans) < MOST_PLANS:
            return
        gone = self._plans.pop(next(iter(self._plans)))
        self.evictions += 1
        self.direct.clear()
        for family in self._families.values():
            for key, (_, plan) in list(family.shapes.items()):
                if plan is gone:
                    del family.shapes[key]

    # ---- Building ------------------------------------------------------------------------------

    @collector_paused()
    def _make_family(self, key: tuple[bool, ...]) -> _Family:
        started = time.perf_counter()
        is_none = dict(zip(self._optional, key, strict=True))
        graph = specialize(self.function.graph, is_none)
        optimize(graph)
        fuses = _fusing().may_fuse(graph)
        flags = flags_of(graph) if fuses else []
        tensors = []
        if fuses:
            tensors = [i for i, value in enumerate(graph.inputs) if value.type == t.TENSOR]
        seconds = time.perf_counter() - started
        text = self._describe(is_none)
        key_of = key_of_tensors(tensors, [flag.text for flag in flags])
        return _Family(key, text, graph, fuses, flags, tensors, seconds, key_of)

    @collector_paused()
    def _build(
        self,
        family: _Family,
        values: list[Any],
        flags: tuple[bool, ...],
        signatures: tuple[Signature, ...],
    ) -> Plan:
        started = time.perf_counter()
        source, remarks = family.graph, list[Remark]()
        kernels: Kernels = []
        if flags:
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

    def _finish(
        self,
        family: _Family,
        signature: str,
        unfused: Graph,
        graph: Graph,
        remarks: list[Remark],
    ) -> Plan:
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
        self, family: _Family, flags: tuple[bool, ...], signatures: tuple[Signature, ...]
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
        return iter(self._plans.values())

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
        lines.append(f"hits {hits}, misses {self.misses}, evictions {self.evictions}")
        return "\n".join(lines)
