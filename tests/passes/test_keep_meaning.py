"""Optimised graphs mean what they meant: every program, before and after, by the interpreter."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from minits.ir.copying import clone_graph
from minits.ir.graph import Graph
from minits.passes.instrumentation import PassPrinter, instrumented
from minits.passes.pipeline import PASSES, PIPELINES, run_pipeline
from minits.runtime.interpreter import run
from tests.support.agreement import outcome
from tests.support.from_torch import graph_from_torch
from tests.support.programs import PROGRAMS

ORDERS = {name: (name,) for name in PASSES}
ORDERS |= {name: (name,) for name in PIPELINES}
ORDERS["optimize twice"] = ("optimize", "optimize")


@pytest.fixture(scope="module", params=PROGRAMS, ids=lambda pair: pair[0].__name__)
def program(request: Any) -> tuple[Graph, list[Any]]:
    function, calls = request.param
    return graph_from_torch(torch.jit.script(function).graph), calls


@pytest.mark.one_in(16)
@pytest.mark.parametrize("order", ORDERS)
def test_same_results(program: tuple[Graph, list[Any]], order: str) -> None:
    graph, calls = program
    changed = clone_graph(graph)
    with instrumented(PassPrinter(verify_each=True)):
        run_pipeline(changed, ORDERS[order])
    for arguments in calls:
        expected = outcome(lambda *a: run(graph, *a), arguments)
        assert outcome(lambda *a: run(changed, *a), arguments) == expected


def test_calls_do_not_share_what_they_return() -> None:
    def make() -> list[int]:
        return [1, 2]

    graph = graph_from_torch(torch.jit.script(make).graph)
    run_pipeline(graph, "optimize")
    run(graph).append(3)
    assert run(graph) == [1, 2]
