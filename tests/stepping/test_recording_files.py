"""Files of recordings: what is written is read again, and what is broken is refused."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor

import minits
from minits.stepping.files import check_recording, read_recording, write_recording
from minits.stepping.recording import MOST_PRINTED, Recording, record
from minits.stepping.session import Session
from tests.support.damage import damaged


class Scaled(torch.nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return x * 2


class Loop(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.scaled = Scaled()

    def forward(self, x: Tensor, n: int) -> Tensor:
        for i in range(n):
            print("tür", i)
            x = self.scaled(x) / (n - 2 - i)
        assert n > 0, "nothing \\udcff"
        return x


def recorded(n: int = 3, most: int = 20_000) -> Recording:
    method = minits.script(Loop()).compile_method("forward")
    recording, _ = record(method, method.bound((torch.ones(2), n), {}), most)
    return recording


@pytest.mark.parametrize(("n", "most"), [(3, 20_000), (0, 20_000), (3, 1), (3, 9), (3, 20)])
def test_what_is_written_is_read(n: int, most: int, tmp_path: Path) -> None:
    found = recorded(n, most)
    write_recording(found, tmp_path / "F.json")
    assert read_recording(tmp_path / "F.json") == found


def test_graphs_are_whole_and_named_for_their_classes() -> None:
    found = recorded()
    assert [graph["function"] for graph in found["graphs"]] == ["Loop.forward", "Scaled.forward"]
    assert found["program"] == "Loop.forward"
    texts = [op["text"] for op in found["operations"]]
    begin, end = found["graphs"][0]["operations"]
    assert "\n".join(texts[begin:end]) + "\n" == minits.ir.printer.print_graph(
        minits.script(Loop()).graph, ranges=False
    )
    assert any("prim::RaiseException" in text for text in texts), "it did not run"


def test_what_is_printed_is_kept(capsys: pytest.CaptureFixture[str]) -> None:
    def loud(text: str) -> None:
        print(text)
        print()

    function = minits.script(loud)
    found, _ = record(function, function.bound(("x" * 5000,), {}))
    printed = [step["printed"] for step in found["steps"] if "printed" in step]
    assert printed == ["x" * MOST_PRINTED, "\n"]
    assert capsys.readouterr().out == "x" * 5000 + "\n\n"
    told = [step["printed"] for step in recorded()["steps"] if "printed" in step]
    assert told == ["tür 0\n", "tür 1\n", "tür 2\n"]


@pytest.mark.parametrize(
    ("path", "value", "said"),
    [
        (("steps", 0, "frame"), 9, r"steps\[0\].frame is 9, of 4"),
        (("steps", 0, "what"), "jump", r"steps\[0\].what is none of call, op"),
        (("steps", 1, "op"), -1, r"steps\[1\].op is no number from 0 on"),
        (("steps", 1, "op"), True, r"steps\[1\].op is no number"),
        (("steps", 1, "values"), {"x": 3}, r"steps\[1\].values\['x'\] is no summary"),
        (("frames", 0, "caller"), 0, r"frames\[0\].caller is 0, of 0"),
        (("frames", 1, "caller"), 5000, r"frames\[1\].caller is 5000"),
        (("graphs", 0, "operations"), [0, 1], r"graphs\[1\].operations is not from 1"),
        (("graphs", 1, "operations"), [1], r"graphs\[1\].operations is not from"),
        (("operations", 1, "kind"), None, r"operations\[1\].kind is no text"),
        (("operations", 1, "source"), 7, r"operations\[1\].source is 7"),
        (("sources", 0, "first_line"), 0, r"sources\[0\].first_line is no number from 1 on"),
        (("sources",), {}, "sources is no list"),
        (("cut",), "no", "cut is neither"),
        (("program",), 3, "program is no text"),
        (("result",), "111", "result is no summary"),
    ],
)  # fmt: skip
def test_what_is_broken_is_refused(path: tuple[Any, ...], value: Any, said: str) -> None:
    found = json.loads(json.dumps(recorded()))
    *around, last = path
    part = found
    for name in around:
        part = part[name]
    part[last] = value
    with pytest.raises(ValueError, match=said):
        check_recording(found)


def test_what_passes_the_check_can_be_stepped_over() -> None:
    """Parts are taken away, exchanged and replaced at random."""
    chosen = random.Random(0)
    whole = json.dumps(recorded())
    passed = 0
    for _ in range(300):
        found = damaged(whole, chosen)
        try:
            check_recording(found)
            session = Session(found)
        except ValueError:
            continue
        passed += 1
        session.watch("x")
        while session.step():
            assert session.source_lines(2) is not None and session.values() is not None
            assert [*session.calls()]
    assert 20 < passed < 280
