"""Plans: a Python function for each signature of calls.

Source: DESIGN D5. torch profiles a few runs and then specialises (torch/csrc/jit/runtime/
profiling_graph_executor_impl.cpp); a plan here is built at the first call, from its signature.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from minits.codegen.python import compile_graph
from minits.frontend.function import CompiledFunction
from minits.ops.errors import as_script_error


@dataclass(slots=True)
class Plan:
    """A program made for one signature. `seconds` is what building it took."""

    signature: str
    run: Callable[..., Any]
    seconds: float


class Plans:
    """The plans of one function."""

    def __init__(self, function: CompiledFunction) -> None:
        self.function = function
        self._general: Plan | None = None

    def run(self, values: list[Any]) -> Any:
        if self._general is None:
            self._general = self._build()
        try:
            return self._general.run(*values)
        except (LookupError, ArithmeticError, ValueError) as error:
            raise as_script_error(error) from None

    def _build(self) -> Plan:
        started = time.perf_counter()
        run = compile_graph(self.function.graph, self.function.name)
        return Plan("any", run, time.perf_counter() - started)

    def report(self) -> str:
        plan = self._general
        if plan is None:
            return "no plan has been built"
        return f"{plan.signature}: built in {plan.seconds * 1e3:.2f} ms"
