"""The suite on several Pythons and torches: what is kept, and the README's table."""

import json
import sys
from pathlib import Path

import pytest

from conformance.compare import Verdict
from conformance.matrix.command import measured
from conformance.matrix.results import Result, Tally, keep, read_results
from conformance.matrix.table import BEGIN, END, README, table, with_table


def result(python: str, torch: str, wrong: dict[str, list[str]] | None = None) -> Result:
    tallies = {"minits": Tally(10, 6, wrong or {})}
    return Result(python, torch, "2026-11-27", "x86_64", "", tallies)


def test_a_tally_counts_behaviour_and_graphs() -> None:
    same = Verdict("a", {"compiles": True, "outputs": True, "structure": True})
    other_graph = Verdict("b", {"compiles": True, "outputs": True, "structure": False})
    accepted = Verdict("c", {"refused": False, "line": False})
    tally = Tally.of([same, other_graph, accepted])
    assert (tally.total, tally.right, tally.graphs) == (3, 2, 1)
    assert tally.wrong == {"c": ["refused", "line"]}


def test_a_later_run_of_a_pair_replaces_the_earlier(tmp_path: Path) -> None:
    path = tmp_path / "results.json"
    for each in (result("3.14.1", "2.15.0"), result("3.9.7", "2.9.0"), result("3.14.2", "2.15.1")):
        keep(each, path)
    assert [each.python for each in read_results(path)] == ["3.9.7", "3.14.2"]


def test_the_table_tells_how_many_programs_agree() -> None:
    made = table([result("3.14.1", "2.15.0", {"a": ["outputs"]})])
    assert "| 3.14.1 | 2.15.0 | 9 of 10 | not run | nothing | 2026-11-27 |" in made
    assert with_table(f"a\n{BEGIN}old\n{END}b\n", []) == f"a\n{BEGIN}{table([])}{END}b\n"
    with pytest.raises(ValueError, match="no marks"):
        with_table("a", [])


def test_the_readme_has_the_table_of_the_results() -> None:
    text = README.read_text("utf-8")
    assert with_table(text, read_results()) == text


@pytest.mark.slow
def test_an_interpreter_is_measured(capfd: pytest.CaptureFixture[str]) -> None:
    found = measured(sys.executable, "while_loops/no_turn", 1)
    assert found is not None
    assert all(tally.total and not tally.wrong for tally in found.tallies.values())
    assert json.loads(json.dumps(found.to_data())) == found.to_data()


def test_what_is_no_interpreter_is_told(capfd: pytest.CaptureFixture[str]) -> None:
    assert measured("/no/python", "", 1) is None
    assert "/no/python cannot run the suite" in capfd.readouterr().err
