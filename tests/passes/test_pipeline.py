"""The runner of passes: what it shows and checks as it goes."""

from __future__ import annotations

import io
from typing import Any

import pytest

from minits.ir.graph import Graph
from minits.ir.parser import parse_graph
from minits.ir.verifier import InvalidIR
from minits.passes.context import Context
from minits.passes.instrumentation import PassPrinter, instrumented
from minits.passes.pipeline import PASSES, PIPELINES, Pass, check_names, run_pipeline

TEXT = """graph(%x : int):
  %one : int = prim::Constant[value=1]()
  %dead : int = aten::neg(%x)
  %y : int = aten::mul(%x, %one)
  return (%y)
"""


def shown(*names: str, **flags: Any) -> str:
    out = io.StringIO()
    printer = PassPrinter(out=out, **flags)
    with instrumented(printer):
        run_pipeline(parse_graph(TEXT), names)
    return out.getvalue()


def test_silent_by_default() -> None:
    assert shown("dce", "peephole") == ""


def test_before_and_after_one_pass() -> None:
    text = shown("peephole", "dce", print_ir_before="dce", print_ir_after="dce")
    before, after = text.split("// -----// IR Dump After dce //----- //\n")
    assert before.startswith("// -----// IR Dump Before dce //----- //\ngraph(%x : int):")
    assert "%dead" in before
    assert after.strip() == "graph(%x : int):\n  return (%x)"


def test_a_dump_names_the_function() -> None:
    out = io.StringIO()
    with instrumented(PassPrinter(out=out, print_ir_after="dce", print_changed="diff")):
        run_pipeline(parse_graph(TEXT), "dce", Context(program="Net.forward"))
    lines = out.getvalue().splitlines()
    assert lines[0] == "// -----// IR Dump After dce (function: Net.forward) //----- //"
    assert "+++ after dce (function: Net.forward)" in lines


def test_before_all() -> None:
    text = shown("peephole", "dce", print_ir_before="all")
    assert text.index("Before peephole") < text.index("Before dce")
    assert "After" not in text


def test_after_change() -> None:
    text = shown("dce", "cse", print_ir_after_change=True)
    assert "IR Dump After dce" in text
    assert "IR Dump After cse" not in text


def test_difference() -> None:
    lines = shown("dce", "cse", print_changed="diff").splitlines()
    assert lines[:2] == ["--- before dce", "+++ after dce"]
    assert [line for line in lines[2:] if line[0] in "+-"] == ["-  %dead : int = aten::neg(%x)"]


def test_times() -> None:
    out = io.StringIO()
    printer = PassPrinter(out=out)
    with instrumented(printer):
        run_pipeline(parse_graph(TEXT), ["dce", "cse", "dce"])
    printer.write_times()
    lines = out.getvalue().splitlines()
    assert lines[0].split() == ["seconds", "share", "pass"]
    assert {line.split()[-1] for line in lines[1:]} == {"dce", "cse", "total"}


def test_unknown_pass() -> None:
    graph = parse_graph(TEXT)
    with pytest.raises(KeyError, match="no-such-pass"):
        run_pipeline(graph, ["dce", "no-such-pass"])
    assert str(graph) == TEXT  # nothing was run


def test_a_pass_that_breaks_the_graph(monkeypatch: pytest.MonkeyPatch) -> None:
    def spoil(graph: Graph) -> bool:
        next(graph.nodes).output.uses.clear()
        return True

    monkeypatch.setitem(PASSES, "spoil", Pass("", _function=spoil))
    with pytest.raises(InvalidIR, match="%one does not list this use"):
        shown("spoil", verify_each=True)


@pytest.mark.parametrize("name", PASSES)
def test_every_pass_is_found(name: str) -> None:
    run_pipeline(parse_graph(TEXT), name)


@pytest.mark.parametrize("names", PIPELINES.values(), ids=PIPELINES)
def test_every_pipeline_names_passes(names: tuple[str, ...]) -> None:
    check_names(names)


def test_a_pass_with_a_question_mark_runs_after_a_change() -> None:
    assert "After dce" in shown("peephole", "dce?", print_ir_after="all")
    assert "After dce" not in shown("cse", "dce?", print_ir_after="all")


def test_a_pipeline_in_a_pipeline_and_its_change() -> None:
    graph = parse_graph(TEXT)
    assert run_pipeline(graph, ["cse", "optimize"])
    assert not run_pipeline(graph, "optimize")


def test_a_context_reaches_the_passes() -> None:
    graph = parse_graph("graph(%x : Tensor?):\n  return (%x)\n")
    assert run_pipeline(graph, "specialize", Context(is_none={0: False}))
    assert str(graph.inputs[0].type) == "Tensor"
