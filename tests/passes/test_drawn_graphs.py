"""Graphs drawn at random, which no program is compiled to, go through everything that takes graphs.

`DRAWN_GRAPHS=500 pytest tests/passes/test_drawn_graphs.py` draws more of them.
"""

from __future__ import annotations

import io
import os
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor

import minits
from conformance.fuzz.language.torch_faults import results_of_the_body_alone
from minits.frontend.values.graph_function import GraphFunction
from minits.ir.canonical import canonicalize
from minits.ir.copying import clone_graph
from minits.ir.graph import Graph
from minits.ir.parser import parse_graph
from minits.ir.printer import print_graph
from minits.ir.verifier import verify
from minits.passes.instrumentation import PassPrinter, instrumented
from minits.passes.pipeline import PASSES, PIPELINES, run_pipeline
from minits.runtime.interpreter import run
from minits.runtime.script import ScriptFunction
from tests.support.agreement import agree, outcome
from tests.support.drawn_graphs import drawn_calls, drawn_graph, is_read_by_torch
from tests.support.from_torch import graph_from_torch
from tests.support.needs import need_compiler

SEEDS = range(int(os.environ.get("DRAWN_GRAPHS", "12")))
LOOP = """graph(%x : Tensor, %n : int, %most : int, %go : bool):
  %max : int = prim::Constant[value=9223372036854775807]()
  %true : bool = prim::Constant[value=1]()
  %one : int = prim::Constant[value=1]()
  %r : Tensor = prim::Loop({most}, {enter}, %x)
    block0(%i : int, %y : Tensor):
      %z : Tensor = aten::add(%y, %i, %one)
      %c : bool = aten::lt(%i, %n)
      -> ({again}, %z)
  return (%r)
"""
LATE_WRITE = """graph(%x : Tensor, %n : int):
  %true : bool = prim::Constant[value=1]()
  %one : int = prim::Constant[value=1]()
  %r : Tensor = prim::Loop(%n, %true, %x)
    block0(%i : int, %y : Tensor):
      %z : Tensor = aten::neg(%y)
      -> (%true, %z)
  %w : Tensor = aten::add_(%r, %one, %one)
  return (%x)
"""


def outcomes(function: Callable[..., Any], calls: list[tuple[Any, ...]]) -> list[Any]:
    """Return the results of calls, and the tensors that they were given, as they are then."""

    def called(*arguments: Any) -> Any:
        result = function(*arguments)
        return result, [each for each in arguments if isinstance(each, Tensor)]

    return [outcome(called, each) for each in calls]


def same(found: list[Any], expected: list[Any], graph: Graph) -> bool:
    """Return whether all calls agree, but for what a library rounds as it likes, as sums."""
    return all(agree(one, other, graph) for one, other in zip(found, expected, strict=True))


def by_interpreter(graph: Graph, calls: list[tuple[Any, ...]]) -> list[Any]:
    return outcomes(lambda *arguments: run(graph, *arguments), calls)


def function_of(graph: Graph) -> ScriptFunction:
    names = [f"a{number}" for number in range(len(graph.inputs))]
    return ScriptFunction(GraphFunction("f", "__torch__.f", graph, names), None)


def loaded(function: ScriptFunction, load: Callable[[Any], Any]) -> Any:
    archive = io.BytesIO()
    minits.save(function, archive)
    archive.seek(0)
    return load(archive)


@pytest.fixture(scope="module", params=SEEDS)
def drawn(request: Any) -> tuple[Graph, list[tuple[Any, ...]]]:
    graph = drawn_graph(request.param)
    verify(graph)
    return graph, drawn_calls(request.param)


Drawn = tuple[Graph, list[tuple[Any, ...]]]


@pytest.mark.one_in(2)
def test_texts_are_read_again(drawn: Drawn) -> None:
    text = print_graph(drawn[0])
    assert print_graph(parse_graph(text)) == text


def test_torch_reads_and_runs_it_so(drawn: Drawn) -> None:
    graph, calls = drawn
    if not is_read_by_torch(graph):
        pytest.skip("torch's parser takes no If or Loop without outputs")
    theirs = torch._C.parse_ir(print_graph(graph))
    ours = graph_from_torch(theirs)
    assert print_graph(canonicalize(ours, False)) == print_graph(canonicalize(graph, False))
    function = torch._C._create_function_from_graph("f", theirs)
    assert same(outcomes(function, calls), by_interpreter(graph, calls), graph)


@pytest.mark.one_in(12)
def test_passes_keep_its_meaning(drawn: Drawn) -> None:
    graph, calls = drawn
    expected = by_interpreter(graph, calls)
    for name in (*PASSES, *PIPELINES):
        changed = clone_graph(graph)
        with instrumented(PassPrinter(verify_each=True)):
            run_pipeline(changed, (name,))
        assert same(by_interpreter(changed, calls), expected, graph), name


@pytest.mark.one_in(2)
def test_calls_give_what_the_interpreter_does(drawn: Drawn) -> None:
    graph, calls = drawn
    expected = by_interpreter(graph, calls)
    function = function_of(clone_graph(graph))
    for _ in range(3):
        assert same(outcomes(function, calls), expected, graph)


@pytest.mark.one_in(12)
def test_c_gives_what_the_interpreter_does(drawn: Drawn, monkeypatch: pytest.MonkeyPatch) -> None:
    need_compiler()
    monkeypatch.setenv("MINITS_NATIVE", "whole")
    monkeypatch.setenv("MINITS_CFLAGS", "-O0")
    graph, calls = drawn
    expected = by_interpreter(graph, calls)
    function = function_of(clone_graph(graph))
    for _ in range(3):
        assert same(outcomes(function, calls), expected, graph)
    assert all(plan.native is not None for plan in function._plans)


@pytest.mark.one_in(2)
def test_archives_of_it_are_loaded(drawn: Drawn) -> None:
    graph, calls = drawn
    found = outcomes(loaded(function_of(clone_graph(graph)), minits.load), calls)
    assert same(found, by_interpreter(graph, calls), graph)


def test_torch_loads_archives_of_it(drawn: Drawn) -> None:
    graph, calls = drawn
    archived = function_of(clone_graph(graph))
    found = outcomes(loaded(archived, torch.jit.load), calls)
    if not same(found, by_interpreter(graph, calls), graph):
        with results_of_the_body_alone():  # a write to a loop's result, which torch.jit leaves out
            assert same(found, outcomes(loaded(archived, minits.load), calls), graph)


@pytest.mark.parametrize("most", ("%max", "%most"))
@pytest.mark.parametrize("enter", ("%true", "%go"))
@pytest.mark.parametrize("again", ("%true", "%c"))
def test_loops_that_count_and_test(most: str, enter: str, again: str) -> None:
    if (most, again) == ("%max", "%true"):
        pytest.skip("it does not end")
    graph = parse_graph(LOOP.format(most=most, enter=enter, again=again))
    calls = [(torch.zeros(1), 3, n, go) for n in (-1, 0, 2, 9) for go in (True, False)]
    expected = by_interpreter(graph, calls)
    function = function_of(graph)
    for load in (minits.load, torch.jit.load):
        assert outcomes(loaded(function, load), calls) == expected
    assert outcomes(function, calls) == expected


def test_a_write_to_what_a_loop_of_no_trips_gives() -> None:
    graph = parse_graph(LATE_WRITE)
    calls = [(torch.zeros(1), 0), (torch.zeros(1), 2)]
    expected = by_interpreter(graph, calls)
    assert [result[1][-1] for result in expected] == [("list", "1"), ("list", "0")]
    function = function_of(graph)
    assert outcomes(function, calls) == expected
    assert outcomes(loaded(function, minits.load), calls) == expected
    theirs = loaded(function, torch.jit.load)
    assert "add_" not in str(theirs.graph)  # its alias analysis forgets %x, and so the write goes
    with results_of_the_body_alone():
        assert "add_" not in str(loaded(function, minits.load).graph)


def test_the_count_of_a_while_is_counted() -> None:
    graph = parse_graph(LOOP.format(most="%max", enter="%true", again="%c"))
    assert function_of(graph).code.splitlines()[4:10] == [
        "  r = a0",
        "  _0 = 0",
        "  _1 = True",
        "  while _1:",
        "    z = torch.add(r, _0)",
        "    _1, r, _0 = torch.lt(_0, a1), z, torch.add(_0, 1)",
    ]


def test_a_branch_of_constants_has_a_statement() -> None:
    text = """graph(%x : int[], %c : bool):
  = prim::If(%c)
    block0():
      %one : int = prim::Constant[value=1]()
      -> ()
    block1():
      %y : int[] = aten::add_(%x, %x)
      -> ()
  return (%x)
"""
    assert "  if a1:\n    pass\n  else:\n" in function_of(parse_graph(text)).code
