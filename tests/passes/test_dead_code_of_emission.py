"""What is left of a graph after dead code and decided conditions are gone.

torch eliminates dead code again after it has folded constants. minits removes what was folded
alone where another run would find nothing else; here are programs where it would.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor

import minits
from minits.ir import alias
from minits.ir.canonical import canonicalize
from minits.ir.copying import clone_graph
from minits.ir.graph import Graph, Node
from minits.ir.printer import print_graph
from minits.passes import dce
from minits.passes.constant_pooling import pool_constants
from minits.passes.context import Context
from minits.passes.emission import dead_code
from minits.passes.pipeline import PASSES, run_pipeline
from tests.passes import test_random_aliasing as aliasing
from tests.support.control_flow import load, make_program


def folded_alone(x: int) -> int:
    _dead = "a".find("b")
    return x + "b".find("a")


def one_of_two_results(x: int) -> int:
    return x + divmod(10, 1)[1]


def loop_begins_with_what_is_dead(n: int, maybe: int | None) -> int:
    start = "a".find("b")
    value = maybe
    assert value is not None
    i = 0
    while i < n:
        i += 1
        value = start
    return n


def dead_code_reads_what_a_loop_carries(n: int) -> int:
    carried = n
    for i in range(n):
        _dead = carried * 2
        carried = i + "b".find("a")
    return n


def dead_branch_yields_what_a_loop_carries(n: int) -> int:
    carried = n
    for i in range(n):
        if i > 2:
            _dead = carried
        else:
            _dead = i
            print(i)
        carried = i + "b".find("a")
    return n


def dead_list_holds_what_is_written(x: Tensor, n: int) -> int:
    y = x + 1
    _held = [y]
    y.add_(1)
    return n + "b".find("a")


def dicts_that_nobody_sees_take_in_others(
    tables: list[dict[int, float]], table: dict[int, float]
) -> int:
    first = {1: 1.0}
    first.update(table)
    second = {1: 1.0}
    second.update(tables[0])
    third = {1: 1.0}
    third.update({1: {1: 0.0}}.get(1, third))
    return 1


def dict_that_is_seen_takes_in_others(tables: list[dict[int, float]]) -> int:
    tables[0].update(tables[1])
    return 1


def flag_that_says_what_is_written(x: Tensor, mean: Tensor, variance: Tensor) -> Tensor:
    training = not bool(1)
    torch.batch_norm(x, None, None, mean, variance, training, 0.1, 1e-5, False)
    return x


def flag_that_says_what_is_returned(x: Tensor, n: int) -> int:
    y = torch.dropout(x, 0.5, not bool(0))
    y.add_(1)
    z = torch.dropout(x + 1, 0.5, not bool(1))
    z.add_(1)
    return n


def loop_that_does_nothing(n: int) -> str:
    found = "ab"[1:]
    for _ in range(n):
        pass
    return found


def negated_bool() -> int:
    return -True


def tuples_of_zeros(p: bool) -> dict[str, tuple[float]]:
    while p:
        return {"a": (-0.0,)}
    return {"b": (0.0,)}


def tuples_of_nans(p: bool) -> dict[str, tuple[float, int]]:
    if p:
        return {"a": (float("nan"), 1)}
    return {"b": (float("nan"), 1)}


def complex_zeros(p: bool) -> complex:
    if p:
        return -0j
    return 0j + complex(-0.0, 1.5)


PROGRAMS = [
    value for value in list(globals().values()) if getattr(value, "__module__", "") == __name__
]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_graph_is_torchs(program: Any) -> None:
    theirs = torch._C._jit_pass_canonicalize(torch.jit.script(program).graph)
    assert print_graph(canonicalize(minits.script(program).graph)) == str(theirs)


@pytest.fixture
def compared(monkeypatch: pytest.MonkeyPatch) -> list[Graph]:
    """Compare each elimination with one by torch's three passes; return the graphs."""
    graphs: list[Graph] = []
    first, last = dead_code.eliminate_dead_code, pool_constants

    def eliminate(graph: Graph, context: Context) -> bool:
        graphs.append(clone_graph(graph))
        run_pipeline(graphs[-1], ("dce", "immutable-constants", "dce?"))
        return first(graph, context)

    def compare(graph: Graph) -> bool:
        if graphs:
            assert str(canonicalize(graph)) == str(canonicalize(graphs[-1]))
        return last(graph)

    monkeypatch.setattr(PASSES["emitted-dce"], "_function", eliminate)
    monkeypatch.setattr(PASSES["constant-pooling"], "_function", compare)
    return graphs


@pytest.mark.one_in(2)
@pytest.mark.parametrize("seed", range(60))
def test_random_programs(seed: int, tmp_path: Path, compared: list[Graph]) -> None:
    path = tmp_path / f"cleanup_{seed}.py"
    path.write_text(aliasing.Maker(seed).source())
    minits.script(load(path).f)
    try:
        minits.script(make_program(seed, tmp_path))
    except minits.CompileError:
        return
    assert len(compared) > 1


def test_most_programs_need_no_second_elimination(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(graph: Graph) -> bool:
        raise AssertionError("dead code was eliminated a second time")

    monkeypatch.setattr(dce, "eliminate_dead_code", refuse)
    minits.script(folded_alone)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("seed", range(60))
def test_same_nodes_live_with_aliases(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    find = dce._living_nodes

    def find_twice(graph: Graph) -> set[Node]:
        found = find(graph)
        with monkeypatch.context() as patch:
            patch.setattr(dce, "_writes_to_used", lambda writer: False)
            assert find(graph) == found
        return found

    monkeypatch.setattr(dce, "_living_nodes", find_twice)
    path = tmp_path / f"aliases_{seed}.py"
    path.write_text(aliasing.Maker(seed).source())
    minits.script(load(path).f)


def reads_what_it_appends(n: int) -> int:
    squares: list[int] = []
    for i in range(n):
        squares.append(i * i)
    return len(squares)


def test_aliases_are_not_asked_of_what_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(graph: Graph) -> None:
        raise AssertionError("the aliases of the whole graph were analysed")

    monkeypatch.setattr(alias, "PointsTo", refuse)
    minits.script(reads_what_it_appends)


def named(x: Tensor) -> Tensor:
    with torch.autograd.profiler.record_function("outer"):
        with torch.autograd.profiler.record_function("inner"):
            y = x + 1
    return y


def test_what_a_library_returns_nothing_from_is_kept() -> None:
    """The events of a profile end where the program says, not where their objects are freed."""
    function = minits.script(named)
    exits = function.graph.nodes_of_kind("prim::Exit")
    (method,) = {node.inputs[0].type.methods["__exit__"] for node in exits}
    assert method.graph.nodes_of_kind("profiler::_record_function_exit")
    with torch.autograd.profiler.profile() as profile:
        function(torch.ones(2))
    profile.key_averages()
    inner = {
        event.name: [each.name for each in event.cpu_children] for event in profile.function_events
    }
    assert inner["outer"] == ["inner"]
    assert inner["inner"] == ["aten::add"]


def test_what_python_defines_does_what_its_schema_says() -> None:
    """An operator that Python has defined, returns nothing and writes to nothing is left out."""
    library = torch.library.Library("minits_dead_code", "DEF")
    library.define("nothing(Tensor x) -> ()")
    library.define("writes(Tensor(a!) x) -> ()")

    def program(x: Tensor) -> Tensor:
        torch.ops.minits_dead_code.nothing(x)
        torch.ops.minits_dead_code.writes(x)
        return x

    graph = str(minits.script(program).graph)
    assert graph == str(torch.jit.script(program).graph)
    assert "minits_dead_code::writes" in graph
