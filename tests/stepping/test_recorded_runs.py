"""Recorded runs: what is in them, what they give, and how they end."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor

import minits
from minits.runtime.interpreter import run
from minits.stepping.recording import record
from minits.stepping.session import Breakpoint, Session
from minits.stepping.values import summary


def recorded(function: Any, *args: Any, most: int = 20_000) -> dict[str, Any]:
    compiled = minits.script(function)
    called = compiled.compile_method("forward") if hasattr(compiled, "compile_method") else compiled
    recording, outcome = record(called, called.bound(args, {}), most)
    if outcome.error is None and not recording["cut"]:
        torch.testing.assert_close(outcome.result, called(*args))
    return json.loads(json.dumps(recording, allow_nan=False))


def doubled(x: Tensor) -> Tensor:
    return x * 2


def calls(x: Tensor, n: int):
    rows = [0]
    for i in range(n):
        x = doubled(x)
        if i == 1:
            rows.append(i)
            x.add_(1)
    return x, rows


def faulty(x: Tensor, n: int):
    for i in range(n):
        x = divided(x, i)
    return x


def divided(x: Tensor, i: int) -> Tensor:
    return x.view(2 - i, -1)


def line_of(text: str) -> int:
    lines = Path(__file__).read_text().splitlines()
    return next(number for number, line in enumerate(lines, 1) if line.strip() == text)


def test_each_step_is_of_an_operation_with_its_line() -> None:
    found = recorded(calls, torch.ones(2), 3)
    names = [graph["function"] for graph in found["graphs"]]
    assert [names[frame["graph"]] for frame in found["frames"]] == ["calls", *["doubled"] * 3]
    ran = {step["op"] for step in found["steps"] if "op" in step}
    for op in [found["operations"][number] for number in ran]:
        source = found["sources"][op["source"]]
        assert source["text"].splitlines()[op["line"] - source["first_line"]]
        assert op["kind"] in op["text"]
    blocks = [(step["block"], step.get("iteration")) for step in found["steps"]
              if step["what"] == "block"]  # fmt: skip
    assert blocks == [(0, 0), (1, None), (0, 1), (0, None), (0, 2), (1, None)]
    assert found["result"]["text"] == "(Tensor float32 [2], [0, 1])"


def test_what_an_operator_writes_to_is_told_again() -> None:
    found = recorded(calls, torch.ones(2), 3)
    kinds = {op["kind"]: number for number, op in enumerate(found["operations"])}
    (append,) = [step for step in found["steps"] if step.get("op") == kinds["aten::append"]]
    assert next(iter(append["values"].values()))["text"] == "[0, 1]"
    (add,) = [step for step in found["steps"] if step.get("op") == kinds["aten::add_"]]
    assert {value["max"] for value in add["values"].values()} == {5.0}


def test_an_error_ends_it_at_the_operation_of_the_users_line() -> None:
    compiled = minits.script(faulty)
    recording, outcome = record(compiled, compiled.bound((torch.ones(4), 4), {}))
    last = recording["steps"][-1]
    assert last["what"] == "raise" and last["error"] == recording["error"]
    assert (
        "shape '[0, -1]'" in last["error"] or "reshape" in last["error"] or "size" in last["error"]
    )
    assert recording["operations"][last["op"]]["kind"] == "aten::view"
    lines = [line_of("return x.view(2 - i, -1)"), line_of("x = divided(x, i)")]
    assert [loc.begin.line for loc in outcome.places] == lines
    session = Session(recording)
    assert session.resume() == "the program raised"
    assert [name for name, _ in session.calls()] == ["divided", "faulty"]


def test_it_is_cut_and_the_program_runs_on() -> None:
    found = recorded(calls, torch.ones(2), 500, most=100)
    assert found["cut"] and len(found["steps"]) == 100
    assert found["result"]["text"] == "(Tensor float32 [2], [0, 1])"
    session = Session(found)
    assert session.resume() == "the end of the run" and session.is_last


def test_the_way_back_is_the_way_there() -> None:
    session = Session(recorded(calls, torch.ones(2), 3))
    there = [session.at]
    while session.step():
        there.append(session.at)
    back = [session.at]
    while session.step(-1):
        back.append(session.at)
    assert back == there[::-1] and len(there) > 30


def test_over_and_out_of_blocks_and_calls() -> None:
    session = Session(recorded(calls, torch.ones(2), 3))
    session.breakpoints.append(Breakpoint(session.recording, "prim::Loop"))
    session.resume()
    begin = session.at
    assert session.steps[begin]["what"] == "enter"
    session.next()
    assert session.steps[session.at]["what"] == "leave"
    session.next(-1)
    assert session.at == begin
    session.step()
    assert session.places[-1].iteration == 0
    session.finish()
    assert session.steps[session.at]["what"] == "leave" and not session.places


def test_a_watched_variable_stops_where_it_changes() -> None:
    session = Session(recorded(calls, torch.ones(2), 3))
    session.watch("rows")
    seen = []
    while session.resume() == "rows changed":
        seen.append(session.value("rows"))
    assert [each["text"] for each in seen if each] == ["[0]", "[0, 1]"]


def test_breakpoints_that_mean_nothing_are_refused() -> None:
    found = recorded(calls, torch.ones(2), 3)
    for text in ("9999", "%nothing", "aten::conv2d", "other.py:3"):
        with pytest.raises(ValueError, match="no operation that ran"):
            Breakpoint(found, text)
    assert Breakpoint(found, f"test_recorded_runs.py:{line_of('x.add_(1)')}").text


def test_interpreting_without_a_recorder_gives_the_same() -> None:
    graph = minits.script(calls).graph
    torch.testing.assert_close(run(graph, torch.ones(2), 3)[0], calls(torch.ones(2), 3)[0])


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (torch.tensor([1.0, float("nan"), float("inf"), -2.0]).repeat(4),
         "Tensor float32 [16] from -2 to 1, 4 NaN, 4 inf"),
        (torch.arange(3), "Tensor int64 [3]: 0, 1, 2"),
        (torch.tensor([True, False]), "Tensor bool [2]: True, False"),
        (torch.zeros(0, 3), "Tensor float32 [0, 3]"),
        (torch.empty(2, device="meta"), "Tensor float32 [2] on meta"),
        (torch.ones(2, dtype=torch.complex64), "Tensor complex64 [2]"),
        (torch.tensor(float("nan")), "Tensor float32 [], 1 NaN: nan"),
        (torch.ones(2, 2).to_sparse(), "Tensor float32 [2, 2]"),
        (torch.nn.Parameter(torch.ones(1)), "Tensor float32 [1]: 1"),
        ([1, 2], "[1, 2]"),
        (list(range(100)), "[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, ...]"),
        ({"a": torch.ones(2)}, "{'a': Tensor float32 [2]}"),
        ("x" * 100, f"'{'x' * 27}...{'x' * 28}'"),
        (float("nan"), "nan"),
        (None, "None"),
        (torch.float32, "torch.float32"),
    ],
)  # fmt: skip
def test_summaries(value: Any, text: str) -> None:
    found = summary(value)
    assert found["text"] == text
    json.dumps(found, allow_nan=False)
