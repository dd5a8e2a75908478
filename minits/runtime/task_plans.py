"""Plans of tasks: what a fork runs is a function of its own, which is planned and fused as any.

    %f : Future[Tensor] = prim::fork_0(%x)     calls fork(run, x), with
    run = body_of_task(the node), whose attribute is the graph fork_0

A task is planned when it runs for the first time, for the tensors that it is given then: nothing
needs to be known of them where the program around it is planned.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from types import FunctionType
from typing import Any

from minits.frontend.values.graph_function import GraphFunction
from minits.ir.graph import Node
from minits.runtime.plans import Plans

Run = Callable[..., Any]
NAME = "<forked function>"


def body_of_task(node: Node) -> Run:
    """Return the Python function that a task runs: it calls the task's plans."""
    function = GraphFunction(NAME, NAME, node["Subgraph"])
    function.is_task = True
    plans = Plans(function, plans_first_call=True)
    plans.place = node.callstack, node.range

    def run(*values: Any) -> Any:
        return plans.run_inner(list(values))

    run.__dict__["plans"] = plans
    return run


def plans_of_tasks(run: Run) -> list[Plans]:
    """Return the plans of the tasks that a generated function starts."""
    values = list(getattr(run, "__globals__", {}).values())
    started = [each.args[0] for each in values if isinstance(each, partial) and each.args]
    found = [getattr(each, "plans", None) for each in started if isinstance(each, FunctionType)]
    return [plans for plans in found if isinstance(plans, Plans)]
