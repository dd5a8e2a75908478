"""`python -m conformance packages`: its machinery, with a package that the test writes."""

import subprocess
import sys
from pathlib import Path

import pytest

from conformance.__main__ import main
from conformance.packages import command, runs
from conformance.packages.catalogue import Package, packages
from conformance.packages.runs import Limits, Outcome
from conformance.packages.table import compare, reaching

PACKAGE = Package("small", "1.0", tests=("tests",), leave_out=("left_out",))

TESTS = """
import os
import pytest
import torch

@torch.jit.script
def doubled(x):
    return 2 * x

def under_minits():
    return type(doubled).__module__.startswith("minits")

def test_calls():
    assert doubled(torch.ones(2)).tolist() == [2.0, 2.0]

def test_scripts():
    torch.jit.script(torch.nn.Linear(2, 2))

def test_traces():
    torch.jit.trace(torch.sin, torch.ones(2))

def test_loads(tmp_path):
    torch.jit.load
    torch.jit.script(torch.nn.Linear(2, 2)).save(tmp_path / "m.pt")
    assert torch.jit.load(tmp_path / "m.pt")(torch.ones(2)).shape == (2,)

def test_uses_nothing():
    assert True

def test_fails_here():
    assert doubled(torch.ones(2)) is not None and not under_minits()

def test_passes_here():
    assert doubled(torch.ones(2)) is not None and under_minits()

def test_dies_here():
    doubled(torch.ones(2))
    if under_minits():
        os._exit(3)

def test_after_the_death():
    doubled(torch.ones(2))

@pytest.mark.parametrize("function", [doubled])
def test_gets_a_compiled_function(function):
    assert function(torch.ones(2)).tolist() == [2.0, 2.0]

def test_left_out():
    doubled(torch.ones(2))
"""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """What `installed` would leave of the package."""
    binaries = tmp_path / "environment" / "bin"
    binaries.mkdir(parents=True)
    script = f'#!/bin/sh\nexec "{sys.executable}" "$@"\n'
    (binaries / "python").write_text(script, "utf-8")
    (binaries / "python").chmod(0o755)
    (tmp_path / "source" / "tests").mkdir(parents=True)
    (tmp_path / "source" / "tests" / "test_small.py").write_text(TESTS, "utf-8")
    return tmp_path


def _short(names: object) -> set[str]:
    return {str(name).partition("::test_")[2].partition("[")[0] for name in names}  # type: ignore[attr-defined]


@pytest.mark.slow
def test_tests_that_reach_torch_jit_run_under_both(home: Path) -> None:
    torch = runs.run(PACKAGE, home, False, None, Limits())
    assert _short(torch) >= {"uses_nothing"} and "left_out" not in _short(torch)
    reached = reaching(torch)
    assert _short(reached) == _short(torch) - {"uses_nothing"}
    here = runs.run(PACKAGE, home, True, reached, Limits())
    assert _short(here) == _short(reached)
    row = compare(PACKAGE, torch, here)
    assert (row.tests, row.under_torch, row.under_both) == (9, 8, 6)
    assert _short(row.here_alone_fail) == {"fails_here", "dies_here"}
    assert _short(row.here_alone_pass) == {"passes_here"}


@pytest.mark.slow
def test_a_test_that_does_not_end_is_ended_and_those_after_it_run(home: Path) -> None:
    tests = "import time\ndef test_a():\n  time.sleep(99)\ndef test_b():\n  pass\n"
    (home / "source" / "tests" / "test_small.py").write_text(tests, "utf-8")
    outcomes = runs.run(PACKAGE, home, False, None, Limits(test=1))
    assert {name[-1]: outcome.passed for name, outcome in outcomes.items()} == {
        "a": False,
        "b": True,
    }


def test_tests_are_chosen_by_name_and_get_fixtures(home: Path) -> None:
    tests = "def test_a(number):\n  assert number == 3\ndef test_b():\n  pass\n"
    (home / "source" / "tests" / "test_small.py").write_text(tests, "utf-8")
    fixture = "import pytest\n@pytest.fixture\ndef number():\n  return 3\n"
    package = Package("small", "1.0", ("tests",), only=("_a", "_c"), conftest=fixture)
    outcomes = runs.run(package, home, False, None, Limits())
    assert {name[-1]: outcome.passed for name, outcome in outcomes.items()} == {"a": True}


def test_a_package_without_tests_is_tested_by_a_file_of_ours(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runs, "OWN_TESTS", tmp_path / "ours")
    (tmp_path / "ours").mkdir()
    (home / "source" / "unbuilt.py").write_text("number = 3\n", "utf-8")
    tests = "import unbuilt\ndef test_a():\n  assert unbuilt.number == 3\n"
    (tmp_path / "ours" / "test_unbuilt.py").write_text(tests, "utf-8")
    package = Package("small", "1.0", own_tests=("test_unbuilt.py",), is_installed=False)
    for patched in (False, True):
        outcomes = runs.run(package, home, patched, None, Limits())
        assert [outcome.passed for outcome in outcomes.values()] == [True]


def test_torchvision_is_imported_where_its_library_is_for_another_device(home: Path) -> None:
    vision = home / "source" / "torchvision"
    vision.mkdir()
    (vision / "_C.so").write_bytes(b"")
    needed = "import torch\ntorch.library.register_fake('torchvision::nms')(lambda *a: a[0])\n"
    (vision / "__init__.py").write_text(needed, "utf-8")
    tests = "import torchvision\ndef test_a():\n  pass\n"
    (home / "source" / "tests" / "test_small.py").write_text(tests, "utf-8")
    outcomes = runs.run(PACKAGE, home, False, None, Limits())
    assert [outcome.passed for outcome in outcomes.values()] == [True]


def test_a_test_that_is_not_collected_under_the_patch_fails_here() -> None:
    row = compare(PACKAGE, {"t": Outcome(True, False, 1, "")}, {})
    assert list(row.here_alone_fail) == ["t"]


def test_the_exit_status_says_whether_a_test_fails_here_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def run(
        package: Package, home: Path, patched: bool, only: list[str] | None, limits: Limits
    ) -> dict[str, Outcome]:
        names = ["test_right", "test_wrong"] if only is None else only
        return {n: Outcome(not patched or "right" in n, False, 1, "its text") for n in names}

    monkeypatch.setattr(command, "packages", lambda: {"small": PACKAGE})
    monkeypatch.setattr(command, "installed", lambda package, folder: tmp_path)
    monkeypatch.setattr(command, "run", run)
    assert main(["packages", "small", "--failures"]) == 1
    shown = capsys.readouterr().out
    assert "test_wrong" in shown and "its text" in shown
    assert main(["packages", "small", "--test", "right"]) == 0
    assert main(["packages", "small", "--test", "nothing"]) == 1
    assert main(["packages", "other"]) == 2


def test_every_package_is_pinned_and_has_tests() -> None:
    for package in packages().values():
        assert package.version and (package.tests or package.own_tests), package.name
        assert all((runs.OWN_TESTS / name).is_file() for name in package.own_tests)
        assert all("==" in need for need in package.needs), package.name


@pytest.mark.slow
def test_nothing_is_tested_where_the_index_is_not_reached() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "conformance", "packages", "--if-reached"],
        env={"PIP_INDEX_URL": "http://127.0.0.1:9/simple", "PATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0 and "not reached" in done.stdout, done.stderr
