"""`python -m conformance fuzz --archive`: what it draws, and what it would find."""

from __future__ import annotations

import os
import tempfile
import time
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from typing import Any

import pytest

import minits
from conformance.__main__ import main
from conformance.fuzz.archives import mutations, search
from conformance.fuzz.archives.corpus import Records, archives, packed, unpacked
from conformance.fuzz.archives.loading import Lines, inspect, load, save_again


@pytest.fixture(scope="module")
def originals() -> list[Records]:
    return archives()


def test_the_originals_are_read(originals: list[Records]) -> None:
    outcomes = [load(packed(records)) for records in originals]
    assert {outcome.told for outcome in outcomes} == {"read"}
    assert {save_again(outcome.loaded).told for outcome in outcomes} == {"read"}
    names = {name for records in originals for name in records}
    assert any(name.endswith(".debug_pkl") for name in names) and "constants/0" in names


def test_changes_are_made_again_from_their_numbers(originals: list[Records]) -> None:
    def drawn() -> list[bytes]:
        first, *_, last = originals
        return [mutations.mutated(first, last, Random(number)) for number in range(50)]

    assert drawn() == drawn()
    whole = packed(originals[0])
    assert sum(content != whole for content in drawn()) > 45


def test_every_kind_of_record_is_changed(originals: list[Records]) -> None:
    original = originals[0]
    changed = set()
    for number in range(300):
        try:
            records = unpacked(mutations.mutated(original, original, Random(number)))
        except Exception:
            continue  # the container itself was changed
        changed |= {name for name in original if records.get(name) != original[name]}
    assert {"data.pkl", "constants.pkl"} <= changed
    assert any(name.endswith(".py") for name in changed)
    assert any(name.endswith(".debug_pkl") for name in changed)


@pytest.mark.parametrize("problem", [KeyError("x"), RecursionError(), minits.InternalError("x")])
def test_other_exceptions_are_found(
    originals: list[Records], problem: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*args: Any, **options: Any) -> None:
        raise problem

    monkeypatch.setattr(minits, "load", fail)
    outcome = load(packed(originals[0]))
    assert outcome.told.startswith(f"raised {type(problem).__name__}") and not outcome.is_well


def test_lines_that_are_executed_are_known(originals: list[Records]) -> None:
    few, many = Lines(), Lines()
    assert load(b"PK", few).told == "refused"
    assert load(packed(originals[0]), many).told == "read"
    assert 0 < len(few.found) < len(many.found)


def test_files_are_inspected(originals: list[Records], tmp_path: Path) -> None:
    path = tmp_path / "model.pt"
    path.write_bytes(packed(originals[0]))
    assert inspect(path).told == "read"
    assert inspect(tmp_path / "none.pt").told.startswith("raised FileNotFoundError")


def dies(seed: int, file: Path, number: Any, pipe: Connection) -> None:
    """The work of a process that is ended by the third archive of its chunk, or its fifth."""
    start, end = pipe.recv()
    number.value = start + 2
    file.write_bytes(b"PK")
    if start + 2 < end:
        os._exit(7)
    pipe.send((search.Counts(end - start), []))


@pytest.mark.slow
def test_processes_that_die_are_findings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(search, "_work", dies)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    found = list(search.search(5, 0, 1))
    assert [counts.programs for counts, _ in found] == [3, 2]
    assert found[0][1][0].startswith("archive 2 of seed 0: the process died: exit code 7")
    assert (tmp_path / "minits-archive-2.pt").read_bytes() == b"PK"


def test_processes_that_hang_are_ended(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(search, "_work", hangs)
    monkeypatch.setattr(search, "PATIENCE", 0.0)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    [(_, [told])] = search.search(1, 0, 1)
    assert told.startswith("archive 0 of seed 0: it does not end\nnot written")


def hangs(*_: Any) -> None:
    time.sleep(600)


@pytest.mark.slow
def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fuzz", "--archive", "-n", "60", "--jobs", "1"]) == 0
    assert "60 archives" in capsys.readouterr().out
