"""Plans: a Python function for each signature of calls.

A call's signature is which of its Optional arguments are None. The first call of a signature builds
its plan: the graph with those inputs known, optimised, and turned into a Python function. Later
calls look it up; nothing is profiled, and nothing is optimised again behind the user's back.

Source: DESIGN D5. torch profiles runs instead (torch/csrc/jit/runtime/
profiling_graph_executor_impl.cpp).
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from minits.codegen.python import compile_graph
from minits.frontend.function import CompiledFunction
from minits.ir.graph import Graph
from minits.ops.errors import as_script_error
from minits.passes.pipeline import optimize
from minits.passes.specialize import specialize
from minits.types import types as t
from minits.types.subtyping import union_members


@dataclass(slots=True)
class Plan:
    """A program made for one signature. `seconds` is what building it took."""

    signature: str
    graph: Graph
    run: Callable[..., Any]
    seconds: float


class Plans:
    """The plans of one function, by signature."""

    def __init__(self, function: CompiledFunction) -> None:
        self.function = function
        self._plans: dict[Any, Plan] = {}
        self._optional = [
            index
            for index, argument in enumerate(function.schema.arguments)
            if t.NONE in union_members(argument.type) and argument.type != t.NONE
        ]

    def run(self, values: list[Any]) -> Any:
        """Call the plan for these arguments; build it if there is none."""
        plan = self.lookup(values)
        try:
            return plan.run(*values)
        except (LookupError, ArithmeticError, ValueError) as error:
            raise as_script_error(error) from None

    def lookup(self, values: list[Any]) -> Plan:
        """Return the plan for these arguments."""
        key = tuple([values[index] is None for index in self._optional])
        plan = self._plans.get(key)
        if plan is None:
            plan = self._plans[key] = self._build(key)
        return plan

    def _build(self, key: tuple[bool, ...]) -> Plan:
        started = time.perf_counter()
        is_none = dict(zip(self._optional, key, strict=True))
        graph = specialize(self.function.graph, is_none)
        optimize(graph)
        run = compile_graph(graph, self.function.name)
        return Plan(self._describe(is_none), graph, run, time.perf_counter() - started)

    def _describe(self, is_none: dict[int, bool]) -> str:
        arguments = self.function.schema.arguments
        parts = [
            f"{arguments[index].name} is {'None' if none else 'given'}"
            for index, none in is_none.items()
        ]
        return ", ".join(parts) or "any arguments"

    def report(self) -> str:
        """Return a line for each plan: its signature, and what building it took."""
        if not self._plans:
            return "no plan has been built"
        return "\n".join(
            f"{plan.signature}: built in {plan.seconds * 1e3:.2f} ms"
            for plan in self._plans.values()
        )
