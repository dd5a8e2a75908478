"""Four ways to run a graph: torch.jit, Python itself where it means the same, and our two."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
import torch

from minits.codegen.python import compile_graph
from minits.ir.graph import Graph
from minits.runtime.interpreter import run
from tests.support.agreement import outcome
from tests.support.from_torch import graph_from_torch
from tests.support.programs import PROGRAMS

CALLS = [
    pytest.param(program, arguments, id=f"{program.__name__}-{index}")
    for program, calls in PROGRAMS
    for index, arguments in enumerate(calls)
]


@cache
def compiled(program: Any) -> tuple[Any, Graph]:
    scripted = torch.jit.script(program)
    return scripted, graph_from_torch(scripted.graph)


@pytest.mark.parametrize("program, arguments", CALLS)
def test_interpreter_agrees_with_torch(program: Any, arguments: Any) -> None:
    scripted, graph = compiled(program)
    assert outcome(lambda *a: run(graph, *a), arguments) == outcome(scripted, arguments)


@pytest.mark.parametrize("program, arguments", CALLS)
def test_generated_python_agrees_with_torch(program: Any, arguments: Any) -> None:
    scripted, graph = compiled(program)
    function = compile_graph(graph, program.__name__)
    assert outcome(function, arguments) == outcome(scripted, arguments)
