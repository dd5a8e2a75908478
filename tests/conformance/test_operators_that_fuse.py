"""docs/operators.md is what the command finds, and the command finds what is wrong."""

from __future__ import annotations

from pathlib import Path
from types import FunctionType

import pytest
import torch

from conformance.fusion.database import operators
from conformance.fusion.page import MOST_SAMPLES, PAGE, fuses, line, lines_of, render
from conformance.fusion.sweep import DTYPES, find, sweep
from minits.kernels.lowering import LOWERINGS
from minits.records import replace

SOME = [
    "where", "floor_divide", "special.ndtr", "special.airy_ai", "angle", "sum", "nansum", "median",
    "softmax", "nn.functional.mse_loss", "cumsum", "gather", "tile",
]  # fmt: skip
"""Of each kind that there is one or more, fusing, in part, or not at all."""


@pytest.mark.one_in(10)
@pytest.mark.parametrize("name", SOME)
def test_the_page_says_what_the_command_finds(name: str) -> None:
    operator = next(each for each in operators() if each.name == name)
    row = find(name, list(DTYPES), MOST_SAMPLES, compares=False)
    assert lines_of(PAGE.read_text("utf-8"))[name] == line(operator, row)


def test_the_page_is_made_of_its_rows() -> None:
    page = PAGE.read_text("utf-8")
    lines = lines_of(page)
    assert render(lines, operators()) == page
    assert sum(map(fuses, lines.values())) >= 240


def test_the_database_leaves_torch_as_it_is() -> None:
    operators()
    for each in (torch._C.ScriptFunction, torch._C.ScriptMethod):
        assert not isinstance(each.__call__, FunctionType), "torch's calls are written in C"


@pytest.mark.slow
def test_results_are_compared(tmp_path: Path) -> None:
    for name, row in sweep(["nansum", "diff"], ["f32", "i64"], 2, 1, str(tmp_path)):
        assert [found.faults for found in row.values()] == [[], []], name
        assert all(found.fused for found in row.values())


def test_wrong_results_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = replace(LOWERINGS["aten::amin"], emit=LOWERINGS["aten::amax"].emit)
    monkeypatch.setitem(LOWERINGS, "aten::amin", wrong)
    ((_, row),) = sweep(["amin"], ["f32"], 2, 1, str(tmp_path))
    assert row["f32"].faults
