"""Plans of operators of torch: C, or generated Python where that is faster."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
import torch
from torch import Tensor

import minits
from minits.native import hot
from minits.native.hot import CALLS_TO_TRY, TURNS, Trial, is_to_be_tried


@pytest.mark.parametrize("in_c, in_python", [(3.0, 2.0), (2.0, 3.0), (2.0, 2.0)])
def test_the_faster_way_wins(
    monkeypatch: pytest.MonkeyPatch, in_c: float, in_python: float
) -> None:
    now = 0.0

    def taking(seconds: float) -> Any:
        delays = itertools.chain([9.0], itertools.repeat(seconds))

        def run(value: str) -> str:
            nonlocal now
            now += next(delays)
            return value

        return run

    monkeypatch.setattr(hot.time, "perf_counter", lambda: now)
    trial, c, python = Trial(), taking(in_c), taking(in_python)
    for _ in range(TURNS * CALLS_TO_TRY):
        assert not trial.is_over
        assert trial.run(c, python, ["given"]) == "given"
    assert trial.is_over
    assert trial.is_python_faster == (in_python < in_c)


def last(x: Tensor) -> Tensor:
    if x.size(0) == 7:
        raise ValueError("seven")
    return x[:, -1]


def looped(x: Tensor, n: int) -> Tensor:
    for i in range(n):
        while i % 7 != 0:
            i += 1
        x = x + i
    return x


def stacked(x: Tensor) -> Tensor:
    rows: list[Tensor] = []
    for i in range(x.size(0)):
        rows.append(x[i, 1:])
    return torch.stack(rows)


def test_results_and_errors_are_the_same_at_every_call(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MINITS_NATIVE", "now")
    compiled, x = minits.script(last), torch.rand(3, 4)
    for _ in range((TURNS + 1) * CALLS_TO_TRY):
        assert torch.equal(compiled(x), x[:, -1])
        with pytest.raises(RuntimeError, match="seven"):
            compiled(torch.rand(7, 4))
    report = compiled.plan_report()
    assert "runs as C" in report or "runs as Python, which is faster" in report


def test_loops_of_numbers_are_not_tried() -> None:
    assert not is_to_be_tried(minits.script(looped).graph)
    assert is_to_be_tried(minits.script(stacked).graph)
    assert is_to_be_tried(minits.script(last).graph)


def test_programs_with_loops_of_numbers_stay_in_c(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MINITS_NATIVE", "now")
    compiled, x = minits.script(looped), torch.rand(3)
    for _ in range((TURNS + 1) * CALLS_TO_TRY):
        compiled(x, 3)
    assert "runs as Python" not in compiled.plan_report()
