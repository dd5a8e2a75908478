"""`python -m conformance fuzz --archive`: what it draws, and what it would find."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

import minits
from conformance.__main__ import main
from conformance.fuzz.archives import mutations, search
from conformance.fuzz.archives.corpus import Records, archives, packed, unpacked


@pytest.fixture(scope="module")
def originals() -> list[Records]:
    return archives()


def test_the_originals_are_read(originals: list[Records]) -> None:
    assert {search._load(packed(records), None) for records in originals} == {"read"}
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
    def load(*args: Any, **options: Any) -> None:
        raise problem

    monkeypatch.setattr(minits, "load", load)
    assert search._load(packed(originals[0]), None).startswith(f"raised {type(problem).__name__}")


def test_lines_that_are_executed_are_known(originals: list[Records]) -> None:
    few, many = search._Lines(), search._Lines()
    assert search._load(b"PK", few) == "refused"
    assert search._load(packed(originals[0]), many) == "read"
    assert 0 < len(few.found) < len(many.found)


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fuzz", "--archive", "-n", "60", "--jobs", "1"]) == 0
    assert "60 archives" in capsys.readouterr().out
