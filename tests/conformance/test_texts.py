"""`python -m conformance texts`: the same state of minits prints the same, another one does not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from conformance.__main__ import main
from minits.passes import remarks

CASE = "tensors/comparisons_and_where"
VARIADIC = "metaprogramming/decorated_without_wraps"
"""A decorator's wrapper, with `*args`: in the extended dialect compiled for each call."""


def _printed(folder: Path, case: str = CASE) -> dict[str, str]:
    assert main(["texts", str(folder), "--case", case, "--jobs", "1"]) == 0
    return {path.name: path.read_text("utf-8") for path in sorted(folder.rglob("*.txt"))}


def test_what_is_printed_holds_graphs_and_kernels(tmp_path: Path) -> None:
    found = _printed(tmp_path)
    assert list(found) == [
        "comparisons_and_where.extended.txt", "comparisons_and_where.torch.txt"
    ]  # fmt: skip
    for text in found.values():
        assert "graph(" in text
        assert "def plan(" in text
        assert "__global__" in text
        assert str(Path(__file__).parents[2]) not in text


def test_a_variadic_function_that_nothing_calls_has_nothing_to_print(tmp_path: Path) -> None:
    found = _printed(tmp_path, VARIADIC)
    assert found["decorated_without_wraps.extended.txt"] == ""
    assert "TS191" in found["decorated_without_wraps.torch.txt"]


def test_one_state_prints_the_same_twice_and_a_change_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = _printed(tmp_path / "before")
    assert _printed(tmp_path / "again") == before
    told = remarks.to_yaml

    def other(*arguments: Any) -> str:
        return f"# changed\n{told(*arguments)}"

    monkeypatch.setattr("conformance.texts.printed.to_yaml", other)
    assert _printed(tmp_path / "after") != before
