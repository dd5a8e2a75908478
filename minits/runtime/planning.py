"""Making plans: from the graph of a function and a call's arguments to a Python function.

    graph  --specialize-->    without what is None  --optimize-->  Family
           --module-flags-->  with the flags of a module  --fusion-->  --compile_graph-->  Plan

The passes and their order stand in minits/passes/pipeline.py.

It keeps nothing: `plan_table.py` does.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar, cast

import torch

from minits.bounded_cache import BoundedCache
from minits.diagnostics import CompileError
from minits.frontend.values.function import CompiledFunction
from minits.gc_pause import gc_paused
from minits.internal_error import internal_errors
from minits.ir.copying import clone_graph
from minits.ir.graph import Graph, Node
from minits.ir.walks import loop_around
from minits.kernels.launch.call_key import KIND, attribute_text, key_of_tensors, reader
from minits.kernels.launch.observers import observer, outside_inference, undisturbed
from minits.ops.properties import FORKS
from minits.passes.remarks import Remark, fix_for, missed
from minits.recursion import deep_recursion
from minits.runtime.plan import Family, Pattern, Plan, hooked_in
from minits.runtime.signature import Signature, Unusual, signature_of
from minits.syntax.torch_ranges import origin
from minits.types import types as t
from minits.types.subtyping import union_members

if TYPE_CHECKING:
    from minits.passes.context import Context
    from minits.passes.specialization.module_flags import Flag
    from minits.runtime.fusing import Kernels
    from minits.runtime.stored import StoredFamily

Method = TypeVar("Method", bound=Callable[..., Any])
MOST_SHAPES = 1024
"""Calls whose plan is bound to their very shapes."""
NEW_SHAPES = "new-shapes"
NEW_SIGNATURES = "new-signatures"
NOT_PLAIN = "not-plain"
NO_COMPILER = "no-compiler"
UNOPTIMIZED = "unoptimized"
_UNFUSED = {
    "observed": (
        "operators are observed",
        "nothing is fused under {observer}: it sees single operators",
    ),
    NEW_SIGNATURES: (
        "signatures that do not come again",
        "nothing is fused: most calls differ in what their arguments are like",
    ),
    NEW_SHAPES: (
        "shapes that do not come again",
        "nothing is fused: small tensors of new shapes in most calls",
    ),
    NOT_PLAIN: (
        "tensors that kernels do not read, in a checkpoint",
        "nothing is fused in a checkpoint: hooks may hand over other tensors when it runs again",
    ),
    NO_COMPILER: (
        "no kernel can be built",
        "nothing is fused: {compiler}",
    ),
    UNOPTIMIZED: (
        "optimized_execution(False)",
        "nothing is fused: the call is made within `optimized_execution(False)`",
    ),
    "undefined": (
        "a tensor is undefined",
        "nothing is fused: an argument is None, and to the program it is a tensor",
    ),
}
"""Reasons to run a call operator by operator, for reports and for remarks, by the remark's code."""


def _is_as_written(function: CompiledFunction) -> bool:
    """Return whether the unoptimised graph returns the same as the optimised one.

    It may not where there is a generator, of which passes make one for all calls, or an
    `isinstance`, since passes know the types of more values than a call does. A function that is
    called in a loop warns in each round, where one that is inlined does once.
    """
    return not any(
        node.kind == "prim::isinstance"
        or (node.kind == "aten::warn" and is_repeated)
        or any(value.type == t.GENERATOR for value in node.outputs)
        for node, is_repeated in _reached(function)
    )


def _reached(function: CompiledFunction) -> Iterator[tuple[Node, bool]]:
    """Yield the nodes of a function and of all that it calls, and whether a loop makes the call."""
    from minits.passes.inlining import called_function

    known = {(id(function.graph), False)}
    waiting = [(function.graph, False)]
    while waiting:
        graph, is_repeated = waiting.pop()
        for node in graph.all_nodes():
            yield node, is_repeated
            callee = called_function(node)
            called = [] if callee is None else [callee.graph]
            if "Subgraph" in node.attributes:
                called.append(node["Subgraph"])
            for each in called:
                call = (each, is_repeated or loop_around(node) is not None)
                if (id(each), call[1]) not in known:
                    known.add((id(each), call[1]))
                    waiting.append(call)


def _remarks_on_hooks(graph: Graph) -> list[Remark]:
    """Return a remark for each call of a part that has hooks."""
    from minits.passes.inlining import is_hooked

    why = "its operators are in no kernel with others: a part that has hooks is called as in Python"
    return [missed(node, "hook", why) for node in graph.all_nodes() if is_hooked(node)]


def _same_for_all(values: Sequence[Any]) -> Any:
    """Return the key of any call: `()`, for plans that depend on the pattern of None only."""
    return ()


def fusing_module() -> Any:
    """Return the module `fusing`. The first plan imports it, and with it all of `kernels`."""
    from minits.runtime import fusing

    return fusing


def lacks_compiler(family: Family, values: Sequence[Any]) -> bool:
    """Return whether kernels of a call would be for the CPU, and nothing builds them.

    Planning takes as long as hundreds of small operators. Where there is a GPU, the program may
    move its tensors there.
    """
    return (
        family.fuses
        and all(values[index].device.type == "cpu" for index in family.tensors)
        and _why_no_compiler() is not None
        and not torch.cuda.is_available()
    )


def _why_no_compiler() -> str | None:
    from minits.kernels.cpu.c_compiler import why_no_compiler

    return why_no_compiler()


def _at_its_function(make: Method) -> Method:
    """Give an error of the program that has no range that of the function that is planned."""

    @wraps(make)
    def located(planner: Planner, *args: Any) -> Any:
        try:
            return make(planner, *args)
        except CompileError as fault:
            raise fault.located(origin(planner.function.definition)) from None

    return cast("Method", located)


class Planner:
    """Makes the plans of one function. `optional` are the indices of its Optional parameters."""

    def __init__(self, function: CompiledFunction) -> None:
        self.function = function
        self.optional = [
            index
            for index, argument in enumerate(function.schema.arguments)
            if t.NONE in union_members(argument.type) and argument.type != t.NONE
        ]

    @_at_its_function
    @internal_errors("planning a call")
    @gc_paused()
    @outside_inference()
    @deep_recursion()
    def family(self, key: Pattern | None) -> Family:
        """Return a new family for a pattern of None; for `None` as key, one for all patterns."""
        from minits.passes.specialization.module_flags import flags_of, tensor_attributes

        started = time.perf_counter()
        graph = self._optimized(key)
        fuses = key is not None and fusing_module().may_fuse(graph)
        tensors = []
        if fuses:
            tensors = [i for i, value in enumerate(graph.inputs) if value.type == t.TENSOR]
        family = self._family(
            key,
            self._describe(key),
            lambda: graph,
            fuses,
            flags_of(graph) if fuses else [],
            tensor_attributes(graph) if fuses else [],
            tensors,
        )
        family.seconds = time.perf_counter() - started
        return family

    def restored_family(self, key: Pattern, stored: StoredFamily) -> Family:
        """Return a family as it was stored. Its graph is optimised when it is first read."""
        return self._family(
            key,
            stored.description,
            lambda: self._optimized(key),
            stored.fuses,
            stored.flags,
            stored.attributes,
            stored.tensors,
        )

    @_at_its_function
    @internal_errors("planning a call")
    @gc_paused()
    @outside_inference()
    @deep_recursion()
    def _optimized(self, key: Pattern | None) -> Graph:
        from minits.passes.context import Context
        from minits.passes.pipeline import run_pipeline

        graph = clone_graph(self.function.graph)
        name = self.function.short_name
        known = Context(is_none=self._is_none(key), program=name, hooked=hooked_in(key))
        run_pipeline(graph, "plan", known)
        return graph

    def context(self, graph: Graph, key: Pattern, values: list[Any]) -> Context:
        """Return the `Context` of passes on `graph`: a call's Nones, module flags and arguments."""
        from minits.passes.context import Context
        from minits.passes.specialization.module_flags import flags_of

        flags = flags_of(graph)
        contents = reader([flag.text for flag in flags])(values)
        known = dict(zip(flags, contents, strict=True))
        name = self.function.short_name
        return Context(is_none=self._is_none(key), flags=known, arguments=values, program=name)

    def _is_none(self, key: Pattern | None) -> dict[int, bool]:
        return {} if key is None else dict(zip(self.optional, key, strict=False))

    def _family(
        self,
        key: Pattern | None,
        description: str,
        optimized: Callable[[], Graph],
        fuses: bool,
        flags: list[Flag],
        attributes: list[str],
        tensors: list[int],
    ) -> Family:
        asked = [flag.text for flag in flags]
        kinds = [*asked, *[attribute_text(each, KIND) for each in attributes]]
        exact = [*asked, *[attribute_text(each) for each in attributes]]
        return Family(
            key=key,
            description=description,
            optimized=optimized,
            fuses=fuses,
            flags=flags,
            attributes=attributes,
            tensors=tensors,
            seconds=0.0,
            kind_of=key_of_tensors(tensors, kinds, KIND) if fuses else _same_for_all,
            key_of=key_of_tensors(tensors, exact) if fuses else _same_for_all,
            flags_of=reader(asked),
            bound=BoundedCache(MOST_SHAPES),
        )

    @_at_its_function
    @internal_errors("planning a call")
    @gc_paused()
    @undisturbed()
    @deep_recursion()
    def plan(self, family: Family, values: list[Any]) -> Plan:
        """Make the plan for calls like this one."""
        started = time.perf_counter()
        flags = family.flags_of(values)
        signatures = tuple([signature_of(values[index]) for index in family.tensors])
        source, remarks = family.graph, list[Remark]()
        kernels: Kernels = []
        if flags:
            from minits.passes.context import Context
            from minits.passes.pipeline import run_pipeline

            source = clone_graph(source)
            known = dict(zip(family.flags, flags, strict=True))
            run_pipeline(
                source, "plan-flags", Context(flags=known, program=self.function.short_name)
            )
        graph = source
        missed = self._missed_as_whole(source, values)
        if family.fuses and missed is not None:
            graph, remarks, kernels = fusing_module().fused(
                source, values, self.function.short_name
            )
        remarks += missed or []
        family.seconds += time.perf_counter() - started
        text = self._signature(family, flags, signatures)
        untried = None if family.fuses else values  # the loops of others were tried by `fused`
        plan = self._finish(family, text, source, graph, remarks, untried, values)
        plan.kernels = kernels
        plan.is_plain = not any(isinstance(each, Unusual) for each in signatures)
        return plan

    def unfused_plan(self, family: Family, why: str) -> Plan:
        """Make the plan for calls that run operator by operator; `why` is the code of a remark."""
        description, message = _UNFUSED[why]
        text = ", ".join(filter(None, [family.description, description]))
        if "{observer}" in message:
            message = message.format(observer=observer())
        elif "{compiler}" in message:
            message = message.format(compiler=_why_no_compiler())
        fix = fix_for(why, "prim::FusionGroup")
        remark = Remark("missed", why, message, "prim::FusionGroup", fix=fix)
        return self._finish(family, text, family.graph, family.graph, [remark])

    @_at_its_function
    @internal_errors("generating the code of a program")
    @gc_paused()
    @deep_recursion()
    def as_written(self) -> Plan | None:
        """Return a plan that runs the unoptimised graph, with calls as calls.

        None where an optimised plan could return something else.
        """
        from minits.codegen.python import compile_function

        if not _is_as_written(self.function):
            return None
        graph = self.function.graph
        return Plan("as it was written", graph, graph, compile_function(self.function), 0.0)

    @_at_its_function
    @internal_errors("generating the code of a plan")
    @deep_recursion()
    def _finish(
        self,
        family: Family,
        signature: str,
        unfused: Graph,
        graph: Graph,
        remarks: list[Remark],
        values: Sequence[Any] | None = None,
        call: Sequence[Any] | None = None,
    ) -> Plan:
        """Return the plan that runs a graph.

        values: of the call that it is made for, where its loops are yet to be tried as C.
        call: the same, whether they are or not.
        """
        from minits.codegen.python import compile_graph
        from minits.native.modes import is_wanted

        started = time.perf_counter()
        remarks = [*remarks, *_remarks_on_hooks(graph)]
        function, native_loop = None, None
        if is_wanted(graph):
            from minits.runtime.native_plans import make_loop, native_parts

            graph, function, more = native_parts(graph, self.function, values, call)
            remarks, native_loop = [*remarks, *more], make_loop
        tasks = None
        if graph.nodes_of_kind(*FORKS):
            from minits.runtime.task_plans import body_of_task  # which imports this module

            tasks = body_of_task
        run = compile_graph(graph, self.function.name, tasks, native_loop)
        plan = Plan(signature, unfused, graph, run, 0.0, remarks, fusing_module().groups_in(run))
        if function is not None:
            from minits.native.hot import NativeRun, is_to_be_tried

            function.groups = plan.groups
            plan.native = NativeRun(function, run, is_tried=is_to_be_tried(graph))
        plan.seconds = family.seconds + time.perf_counter() - started
        family.seconds = 0.0
        return plan

    def _missed_as_whole(self, graph: Graph, call: Sequence[Any]) -> list[Remark] | None:
        """Return the remarks on why a graph that is to be C as a whole is not; None if it is."""
        from minits.native.modes import is_whole

        if not is_whole():
            return []
        from minits.runtime.native_plans import native_parts

        _, function, remarks = native_parts(graph, self.function, None, call)
        return remarks if function is None else None

    def _describe(self, key: Pattern | None) -> str:
        arguments = self.function.schema.arguments
        parts = [
            f"{arguments[index].name} is {'None' if none else 'given'}"
            for index, none in self._is_none(key).items()
        ]
        return ", ".join([*parts, *[f"hooks of {path}" for path in hooked_in(key)]])

    def _signature(
        self,
        family: Family,
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
