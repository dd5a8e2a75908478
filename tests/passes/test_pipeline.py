"""The runner of passes: what it shows and checks as it goes."""

from __future__ import annotations

import io
from typing import Any

import pytest

from minits.ir.graph import Graph
from minits.ir.parser import parse_graph
from minits.ir.verifier import InvalidIR
from minits.passes import pipeline
from minits.passes.pipeline import run_passes

TEXT = """graph(%x : int):
  %one : int = prim::Constant[value=1]()
  %dead : int = aten::neg(%x)
  %y : int = aten::mul(%x, %one)
  return (%y)
"""


def shown(*names: str, **flags: Any) -> str:
    out = io.StringIO()
    run_passes(parse_graph(TEXT), names, out=out, **flags)
    return out.getvalue()


def test_silent_by_default() -> None:
    assert shown("dce", "peephole") == ""


def test_before_and_after_one_pass() -> None:
    text = shown("peephole", "dce", print_ir_before="dce", print_ir_after="dce")
    before, after = text.split("// -----// IR Dump After dce //----- //\n")
    assert before.startswith("// -----// IR Dump Before dce //----- //\ngraph(%x : int):")
    assert "%dead" in before
    assert after.strip() == "graph(%x : int):\n  return (%x)"


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
    lines = shown("dce", "cse", "dce", time_passes=True).splitlines()
    assert lines[0].split() == ["seconds", "share", "pass"]
    assert {line.split()[-1] for line in lines[1:]} == {"dce", "cse", "total"}


def test_unknown_pass() -> None:
    graph = parse_graph(TEXT)
    with pytest.raises(KeyError, match="no-such-pass"):
        run_passes(graph, ["dce", "no-such-pass"])
    assert str(graph) == TEXT  # nothing was run


def test_a_pass_that_breaks_the_graph(monkeypatch: pytest.MonkeyPatch) -> None:
    def spoil(graph: Graph) -> bool:
        next(graph.nodes).output.uses.clear()
        return True

    monkeypatch.setitem(pipeline.PASSES, "spoil", spoil)
    with pytest.raises(InvalidIR, match="%one does not list this use"):
        run_passes(parse_graph(TEXT), ["spoil"], verify_each=True)
