"""What each pass changed, by the identity of nodes and values."""

from __future__ import annotations

import torch
from torch import Tensor

import minits
from minits.ir.graph import Graph
from minits.ir.parser import parse_graph
from minits.passes.instrumentation import instrumented
from minits.passes.pipeline import run_pipeline
from minits.report.recording import Recorder, Stage, change_between

TWICE = """
graph(%x : Tensor, %y : int):
  %one : int = prim::Constant[value=1]()
  %a : Tensor = aten::add(%x, %x, %one)
  %b : Tensor = aten::add(%x, %x, %one)
  %c : Tensor = aten::mul(%a, %b)
  return (%c)
"""


def recorded(graph: Graph, *passes: str) -> list[Stage]:
    recorder = Recorder()
    with instrumented(recorder):
        run_pipeline(graph, passes)
    return recorder.stages_of(graph)


def keys(stage: Stage, kind: str) -> list[int]:
    return [line.key for line in stage.lines if line.node.kind == kind]


def test_a_pass_that_removes_a_node() -> None:
    first, last = recorded(parse_graph(TWICE), "cse")
    change = change_between(first.lines, last.lines)
    assert (change.added, change.removed, change.changed) == (0, 1, 1)
    assert keys(last, "aten::add") == keys(first, "aten::add")[:1]
    assert keys(last, "aten::mul") == keys(first, "aten::mul")


def test_a_renumbering_is_no_change() -> None:
    graph = parse_graph(TWICE)
    recorder = Recorder()
    with instrumented(recorder):
        run_pipeline(graph, ["dce"])
    for node in graph.all_nodes():
        for value in node.outputs:
            value.set_name(None)
            value.renumber()
    recorder.after("renumber", graph, "", True, 0.0)
    *_, before, after = recorder.stages_of(graph)
    assert [line.text for line in before.lines] != [line.text for line in after.lines]
    assert change_between(before.lines, after.lines).is_none


def test_a_change_between_passes_is_shown() -> None:
    graph = parse_graph(TWICE)
    recorder = Recorder()
    recorder.before("dce", graph, "")
    next(iter(graph.nodes_of_kind("aten::mul"))).set_kind("aten::sub")
    stages = recorder.stages_of(graph)
    assert [stage.name for stage in stages] == ["emitted", "between passes"]
    assert change_between(stages[0].lines, stages[1].lines).changed == 1


def chain(x: Tensor, y: Tensor) -> Tensor:
    return torch.tanh(x * y) + torch.mm(x, y)


def test_nodes_are_the_same_from_emission_into_the_kernel() -> None:
    recorder = Recorder()
    with instrumented(recorder):
        compiled = minits.script(chain)
        plan = compiled.plan_for(torch.randn(4, 4), torch.randn(4, 4))
    stages = recorder.stages_of(plan.graph)
    names = [stage.name for stage in stages]
    assert names[:2] == ["emitted", "to-ssa"]
    assert names.index("inline") < names.index("fuse")
    for kind in ("aten::mul", "aten::tanh", "aten::mm"):
        assert keys(stages[-1], kind) == keys(stages[0], kind) != []
    fuse = names.index("fuse")
    change = change_between(stages[fuse - 1].lines, stages[fuse].lines)
    assert (change.added, change.removed) == (1, 0)
    assert change.moved >= 2


def masked(x: Tensor, mask: Tensor | None = None) -> Tensor:
    if mask is not None:
        x = x + mask
    return torch.softmax(x, -1)


def test_plans_of_one_function_share_what_was_before_them() -> None:
    recorder = Recorder()
    with instrumented(recorder):
        compiled = minits.script(masked)
        x = torch.randn(2, 3)
        without, given = compiled.plan_for(x), compiled.plan_for(x, x)
    one, other = recorder.stages_of(without.graph), recorder.stages_of(given.graph)
    assert [stage.name for stage in one][:3] == [stage.name for stage in other][:3]
    assert one[2].lines == other[2].lines
    assert keys(one[-1], "aten::softmax") == keys(other[-1], "aten::softmax") != []
    assert keys(one[-1], "aten::add") == []
    assert len(keys(other[-1], "aten::add")) == 1
