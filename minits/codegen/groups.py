"""A `prim::FusionGroup` as a Python callable: kernels where they can run, else its operators.

A plan is made for its arguments; what reaches a group in the middle of it is only known when it
gets there. So the group's graph is lowered again for each kind of its inputs (dtype, device, rank,
requires_grad). What cannot be a kernel for its inputs, or has no compiler to build it, runs
operator by operator, and the group remembers why.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import count
from types import FunctionType
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from minits.bounded_cache import BoundedCache
from minits.ir.copying import clone_graph
from minits.ir.graph import Graph
from minits.kernels.admission import Admission
from minits.kernels.any_sizes import Interface
from minits.kernels.background import BeingBuilt, building_now
from minits.kernels.building import Unbuilt
from minits.kernels.c_build import NoCompiler
from minits.kernels.call_key import KIND, key_of_tensors, made_like
from minits.kernels.facts import Fact, fact_of, is_plain, like, stand_in
from minits.kernels.fused import CheckFailed, FusedKernel, ShapeMismatch
from minits.kernels.guards import GUARD_NAMES, Guard, guard_for, guard_text, never
from minits.kernels.lowering import MOVING, NotFusable, lower
from minits.kernels.observers import is_observed, undisturbed
from minits.passes.fuse import KIND as GROUP
from minits.passes.fuse import fuse
from minits.passes.remarks import Remark, fix_for
from minits.source import SourceRange
from minits.types import types as t

if TYPE_CHECKING:
    from minits.kernels.autograd import Differentiable

Run = Callable[..., Any]
Found = tuple[Guard, Any, Run]
"""Whether inputs are like those of a call, what `made_like` gave then, and what to run."""
BUILDING = "being-built"
MOST_LAUNCHES = 256
"""Combinations of exact shapes and strides that a group remembers."""
MOST_KINDS = 64
"""Kinds of inputs for which it is remembered whether a launch takes any sizes."""
LOOKED_UP = 16
"""A call among so many is looked up, though a launch for any sizes is at hand: shapes that come
again and again are bound, which saves a microsecond each time."""
MOST_KERNELS = 64
"""Kernels of a group: combinations of dtypes, devices, ranks and sizes of one."""


class Group:
    """One fused group of a plan. `unfused` computes the same, operator by operator.

    `call` takes the inputs of the group, and returns its output, or a tuple if there are several.
    It is a function made for the group, which knows how the last call's inputs were like: a loop
    that calls it again and again pays for the comparison with those, and for nothing else. Inputs
    of other sizes run by a launch for any sizes, if the kernel has one (`kernels/any_sizes.py`).
    """

    def __init__(
        self, graph: Graph, name: str, unfused: Run, range: SourceRange | None = None
    ) -> None:
        self.graph = graph
        self.name = name
        self.unfused = unfused
        self.range = range
        self.kernels: BoundedCache[Any, FusedKernel] = BoundedCache(MOST_KERNELS)
        self.refusals: dict[str, str] = {}
        """Why it ran unfused: code and message."""
        self._differentiable: BoundedCache[FusedKernel, Differentiable] = BoundedCache(MOST_KERNELS)
        self._apart: BoundedCache[FusedKernel, Run] = BoundedCache(MOST_KERNELS)
        """What runs, for each kernel, where gradients of what is looked up in are recorded."""
        self._tensors = [i for i, value in enumerate(graph.inputs) if value.type == t.TENSOR]
        self._key = key_of_tensors(self._tensors)
        self.admission = Admission()
        self._launches: BoundedCache[Any, Found] = BoundedCache(MOST_LAUNCHES)
        self._kind = key_of_tensors(self._tensors, asked=KIND)
        self._for_any_sizes: BoundedCache[Any, Found | None] = BoundedCache(MOST_KINDS)
        self._looked_up: Any = None
        """The key of the last call that was looked up and had a launch for any sizes."""
        self._single = len(graph.outputs) == 1
        self._scope: dict[str, Any] = {
            **GUARD_NAMES,
            "find": self._find,
            "last": _NOTHING,
            "any_sizes": _NOTHING,
            "turn": count().__next__,
        }
        self.call = self._make_call()

    def _make_call(self) -> Run:
        """Return `call`; what it knows of the last call is one object, for the sake of threads."""
        names = [f"i{index}" for index in range(len(self.graph.inputs))]
        given = ", ".join(names)
        is_like_last = guard_text([names[index] for index in self._tensors])
        text = (
            f"def {self.name}({given}):\n"
            f"    guard, made_like_then, launch = last\n"
            f"    if {is_like_last}:\n"
            f"        return launch({given})\n"
            f"    guard, made_like_then, launch = any_sizes\n"
            f"    if turn() % {LOOKED_UP} and {is_like_last}:\n"
            f"        return launch({given})\n"
            f"    return find({given})\n"
        )
        exec(compile(text, f"<{self.name}>", "exec"), self._scope)
        made: Run = self._scope[self.name]
        made.__dict__["group"] = self
        return made

    def _find(self, *values: Any) -> Any:
        """Run the group for inputs that are not like those of the last call."""
        if is_observed() or (self.admission.passing and self.admission.passes(values)):
            return self.unfused(*values)
        key = self._key(values)
        found = self._launches.get(key)
        if found is None:
            open = self._found_for_any_sizes(values)
            if open is not None and not self._comes_again(key):
                self._scope["any_sizes"] = open
                return open[2](*values)
        return self._run_bound(key, found, values)

    def _run_bound(self, key: Any, found: Found | None, values: Sequence[Any]) -> Any:
        """Run the group bound to the shapes of a call, if they are, or are to be."""
        admission = self.admission
        if found is not None:
            admission.found += 1
        elif admission.admits(key, values):
            try:
                launch = self.bind(values)
            except BeingBuilt:
                admission.bound -= 1
                return self.unfused(*values)
            found = self._launches.put(key, (self._guard(values), made_like(), launch))
        else:
            return self.unfused(*values)
        self._scope["last"] = found
        return found[2](*values)

    def _guard(self, values: Sequence[Any], any_sizes: bool = False) -> Guard:
        return guard_for([values[index] for index in self._tensors], any_sizes)

    # ---- Any sizes -----------------------------------------------------------------------------

    def _comes_again(self, key: Any) -> bool:
        """Whether a call is like the one that was looked up before it: it is worth binding."""
        before, self._looked_up = self._looked_up, key
        return bool(key == before)

    def _found_for_any_sizes(self, values: Sequence[Any]) -> Found | None:
        """Return what runs inputs of this kind, whatever their sizes, from their second call on.

        None if nothing does, or as long as a kernel is being built.
        """
        if self.is_being_built:
            return None
        kind = self._kind(values)
        if kind not in self._for_any_sizes:
            self._for_any_sizes.put(kind, _NOTHING)
            return None
        found = self._for_any_sizes.get(kind)
        if found is _NOTHING:
            names = [f"i{index}" for index in range(len(values))]
            outputs = range(len(self.graph.outputs))
            interface = Interface(names, outputs, self._single, self._bound_call)
            run = self.bind_any_sizes(values, interface)
            guard = self._guard(values, any_sizes=True)
            found = self._for_any_sizes.put(kind, run and (guard, made_like(), run))
        return found

    @property
    def is_being_built(self) -> bool:
        """Whether the last call that was to be bound found its kernel not built yet."""
        return BUILDING in self.refusals

    @undisturbed()
    def bind_any_sizes(self, values: Sequence[Any], interface: Interface) -> Run | None:
        """Return what runs inputs of this kind, whatever their sizes; None if nothing does."""
        tensors = [values[index] for index in self._tensors]
        if self.is_being_built or not all(
            isinstance(x, Tensor) and is_plain(x) and x.is_contiguous() and not x.requires_grad
            for x in tensors
        ):
            return None
        try:
            kernel = self.kernel_for(values)
            launch = kernel.bind_any_sizes(values, interface)
        except (NotFusable, ShapeMismatch):
            return None
        if launch is None or not kernel.kernel.has_checks:
            return launch
        return _checking(launch, interface.other)

    def _bound_call(self, *values: Any) -> Any:
        """Run the group for inputs that a launch for any sizes is not for."""
        key = self._key(values)
        return self._run_bound(key, self._launches.get(key), values)

    @undisturbed()
    def bind(self, values: Sequence[Any]) -> Run:
        """Return what runs the group for inputs of these very shapes, strides and dtypes.

        Raises BeingBuilt while its kernel is built in the background.
        """
        try:
            launch = self._bind(values)
            self.refusals.pop(BUILDING, None)
            return launch
        except BeingBuilt as reason:
            self.refusals[BUILDING] = str(reason)
            raise
        except (NotFusable, ShapeMismatch, NoCompiler) as reason:
            self.refusals[_code(reason)] = str(reason)
            return self.unfused

    def _bind(self, values: Sequence[Any]) -> Run:
        tensors = [values[index] for index in self._tensors]
        if not all(isinstance(tensor, Tensor) and is_plain(tensor) for tensor in tensors):
            raise ShapeMismatch("an input is not a plain strided tensor")
        kernel = self.kernel_for(values)
        if any(tensor.requires_grad for tensor in tensors):
            run = self._with_gradients(kernel, values)
        else:
            run = kernel.bind(values, self._single)
        return _checking(run, self.unfused) if kernel.kernel.has_checks else run

    def unbuilt(self, facts: Sequence[Fact | None], records: bool) -> Unbuilt | None:
        """Return what has to be built for inputs like these, while gradients are recorded or not.

        None where nothing has, and where the call will find out better.
        """
        known = [fact for fact in facts if fact is not None and fact.device.type == "cpu"]
        if len(known) < len(self._tensors):
            return None
        try:
            kernel = self._kernel_for(facts)
            needing = {index for index, fact in enumerate(facts) if fact and fact.requires_grad}
            if records and needing.intersection(_tables(kernel)):
                return None
            if records and needing:
                values = self._stand_ins(facts)
                if values is None:
                    return None
                kernel = self._differentiable_for(kernel).recording(values) or kernel
            return kernel.unbuilt([fact and like(fact) for fact in facts])
        except (NotFusable, ShapeMismatch, *_OF_OTHER_NUMBERS):
            return None

    def warm_up(self, facts: Sequence[Fact | None]) -> None:
        """Build what calls with such inputs need, their gradients among it.

        The kernel runs, for elements that nobody looks at: that is how it is found out.
        """
        values = self._stand_ins(facts)
        if values is None:
            return
        refusals = dict(self.refusals)
        try:
            with building_now():
                _run_both_ways(self.call, values)
        except _OF_OTHER_NUMBERS:
            self.refusals = refusals  # the numbers of a call may be others: what it needs is built

    def _stand_ins(self, facts: Sequence[Fact | None]) -> list[Any] | None:
        """Return inputs of these kinds; None where too little is known to make any."""
        values: list[Any] = []
        for value, fact in zip(self.graph.inputs, facts, strict=True):
            if value.type == t.TENSOR and fact is not None:
                values.append(stand_in(fact))
            elif value.type in _NUMBERS:
                values.append(_NUMBERS[value.type])
            else:
                return None
        return values

    def kernel_for(self, values: Sequence[Any]) -> FusedKernel:
        """Return the kernel for inputs like these. Raises NotFusable."""
        facts = [fact_of(value) if isinstance(value, Tensor) else None for value in values]
        return self._kernel_for(facts)

    def _kernel_for(self, facts: Sequence[Fact | None]) -> FusedKernel:
        """Return the kernel for inputs of this kind; it is lowered once."""
        known = [fact for fact in facts if fact is not None]
        kinds = [(x.dtype, x.device, tuple([s == 1 for s in x.shape])) for x in known]
        kind = (torch.get_default_dtype(), *kinds)
        kernel = self.kernels.get(kind)
        return kernel or self.kernels.put(kind, FusedKernel(lower(self.graph, facts)))

    def _with_gradients(self, kernel: FusedKernel, values: Sequence[Any]) -> Run:
        """Return what runs the kernel, under autograd where gradients are recorded."""
        if any(values[index].requires_grad for index in _tables(kernel)):
            return self._with_look_ups_apart(kernel, values)
        return self._differentiable_for(kernel).bind(values, self._single)

    def _with_look_ups_apart(self, kernel: FusedKernel, values: Sequence[Any]) -> Run:
        """Return what runs the kernel where no gradients are recorded, else the rest of it."""
        run = self._apart.get(kernel) or self._apart.put(kernel, _without_look_ups(self, values))
        launch = kernel.bind(values, self._single)

        def apart(*values: Any) -> Any:
            return run(*values) if torch.is_grad_enabled() else launch(*values)

        return apart

    def _differentiable_for(self, kernel: FusedKernel) -> Differentiable:
        run = self._differentiable.get(kernel)
        if run is None:
            from minits.kernels.autograd import differentiable  # half of all kernels' modules

            made = differentiable(kernel, self._unfused_tuple)
            run = self._differentiable.put(kernel, made)
        return run

    def _unfused_tuple(self, *values: Any) -> Any:
        result = self.unfused(*values)
        return (result,) if self._single else result

    # ---- Reports -------------------------------------------------------------------------------

    def remarks(self) -> list[Remark]:
        """Why the group ran operator by operator, where it did."""
        return [
            Remark(
                "analysis" if code == BUILDING else "missed", code,
                f"{self.name} runs operator by operator: {message}",
                GROUP, self.range, None, None, fix_for(code, GROUP),
            )
            for code, message in self._all_refusals()
        ]  # fmt: skip

    def _all_refusals(self) -> list[tuple[str, str]]:
        gradients = [text for run in self._differentiable.values() for text in run.refusals]
        return [*self.refusals.items(), *[("gradient", text) for text in dict.fromkeys(gradients)]]

    def report(self) -> list[str]:
        """Return lines for people: how many kernels there are, and what was not fused."""
        kernels = len(self.kernels)
        lines = [f"{self.name}: {kernels} kernel{'s' if kernels != 1 else ''}"]
        return lines + [f"  unfused: {message}" for _, message in self._all_refusals()]


def _checking(run: Run, other: Run) -> Run:
    """Return what runs a kernel, and where a check of it fails what raises eager's error."""

    def checking(*values: Any) -> Any:
        try:
            return run(*values)
        except CheckFailed:
            return other(*values)

    return checking


def _tables(kernel: FusedKernel) -> list[int]:
    """Return the inputs of a group of which its kernel looks elements up."""
    return [source.index for source in kernel.lowered.sources if source.looked_up]


def _without_look_ups(group: Group, values: Sequence[Any]) -> Run:
    """Return what runs a group for inputs like these, its look-ups by torch, the rest in kernels.

    Gradients of what is looked up in are torch's, who adds up what goes to one element.
    """
    from minits.codegen.python import compile_graph  # which imports this module
    from minits.passes.facts import infer_facts

    graph = clone_graph(group.graph)
    fuse(graph, infer_facts(graph, values), [], apart=MOVING)
    run: Run = compile_graph(graph, group.name)
    return run


def _run_both_ways(call: Run, values: Sequence[Any]) -> None:
    """Call a group, and compute gradients of its inputs where it records any."""
    found = call(*values)
    results = found if isinstance(found, tuple) else (found,)
    outputs = [result for result in results if result.requires_grad]
    inputs = [x for x in values if isinstance(x, Tensor) and x.requires_grad]
    if outputs:
        gradients = [torch.ones_like(output) for output in outputs]
        torch.autograd.grad(outputs, inputs, gradients, allow_unused=True)


_OF_OTHER_NUMBERS = (RuntimeError, IndexError, TypeError)
"""What operators raise where a call's numbers are not those that stand for them."""

_NUMBERS = {t.FLOAT: 1.0, t.INT: 1, t.BOOL: True}
"""Stand-ins for the numbers of a call."""


_NOTHING: Found = (never, None, never)


def group_of(value: Any) -> Group | None:
    """Return the group whose `call` this is."""
    return getattr(value, "group", None) if isinstance(value, FunctionType) else None


def _code(reason: Exception) -> str:
    match reason:
        case NotFusable():
            return reason.code
        case NoCompiler():
            return "no-compiler"
    return "shape"
