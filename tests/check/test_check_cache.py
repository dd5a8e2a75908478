"""Results are remembered by content: what changes them is seen, the rest is not compiled again."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from minits.check import project
from minits.check.cache import ResultCache, result_cache
from minits.check.files import find_files
from minits.check.imports import dependencies
from minits.check.project import check_project
from minits.check.results import FileResult
from minits.check.serial import result_as_json, result_from_json
from minits.check.settings import Settings

NET = """
import torch
from torch import nn
from .ops import scaled


class Net(nn.Module):
    def forward(self, x: torch.Tensor):
        return scaled(x)
"""
OPS = "import torch\n\n\ndef scaled(x: torch.Tensor):\n    return x.{name}()\n"


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MINITS_CACHE", str(tmp_path / "cache"))
    folder = tmp_path / "project" / "checked_package"
    folder.mkdir(parents=True)
    (folder / "__init__.py").touch()
    (folder / "net.py").write_text(NET)
    (folder / "ops.py").write_text(OPS.format(name="relu"))
    return folder


def checked(folder: Path, **settings: object) -> tuple[list[str], list[str]]:
    """Return the names of the files that were compiled, and the codes of all faults."""
    used = Settings(folder.parent)
    for name, value in settings.items():
        setattr(used, name, value)
    files = find_files([str(folder)], used)
    compiled = []
    original = project._check_here

    def observed(batch, settings):
        for each, result in original(batch, settings):
            compiled.append(each.path.name)
            yield each, result

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(project, "_check_here", observed)
        results = check_project(files, used, result_cache(project.options_of(used)), jobs=1)
    codes = [each.code for result in results for each in result.diagnostics]
    return compiled, codes


def test_what_changes_is_compiled_again(package: Path) -> None:
    everything = ["__init__.py", "net.py", "ops.py"]
    assert checked(package) == (everything, [])
    assert checked(package) == ([], [])
    (package / "ops.py").write_text(OPS.format(name="nothing"))
    assert checked(package) == (["net.py", "ops.py"], ["TS302"])
    assert checked(package) == ([], ["TS302"])
    (package / "ops.py").write_text(OPS.format(name="relu"))
    assert checked(package) == (["net.py", "ops.py"], [])


def test_what_an_import_would_find_first_is_a_dependency(package: Path) -> None:
    checked(package)
    (package / "ops").mkdir()
    (package / "ops" / "__init__.py").write_text(OPS.format(name="nothing"))
    assert checked(package)[1] == ["TS302"]


def test_options_are_a_part_of_the_key(package: Path) -> None:
    checked(package)
    assert checked(package, dialect="extended")[0] == ["__init__.py", "net.py", "ops.py"]
    assert checked(package, ignore=["TS3"])[0] == [], "what is reported is no part of it"


def test_another_version_of_minits_compiles_again(
    package: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    checked(package)
    monkeypatch.setattr("minits.check.cache.versions", lambda: "another")
    assert checked(package)[0] == ["__init__.py", "net.py", "ops.py"]


def test_dependencies(package: Path) -> None:
    found = {Path(each).name for each in dependencies(package / "net.py", NET)}
    assert {"__init__.py", "ops.py"} <= found
    assert "torch.py" not in found


def test_entries_that_are_broken_are_compiled_again(package: Path, tmp_path: Path) -> None:
    checked(package)
    for entry in (tmp_path / "cache" / "check").iterdir():
        entry.write_text('{"files": {}, "result": {}}')
    assert checked(package)[0] == ["__init__.py", "net.py", "ops.py"]


def test_results_read_back_are_the_same(package: Path) -> None:
    (package / "ops.py").write_text(OPS.format(name="nothing"))
    files = find_files([str(package / "net.py")], Settings(package))
    (result,) = check_project(files, Settings(package), ResultCache(None, ""), jobs=1)
    again = result_from_json(result_as_json(result))
    assert [each.render() for each in result.diagnostics] == [
        each.render() for each in again.diagnostics
    ]
    assert len(again.diagnostics) == 1
    assert again.diagnostics[0].callers
    assert (again.programs, again.unchecked) == (result.programs, result.unchecked)


def test_a_failure_of_minits_is_not_remembered(package: Path) -> None:
    cache = result_cache({})
    cache.write(package / "net.py", "", FileResult(str(package / "net.py"), internal=["failed"]))
    assert cache.read(package / "net.py", "") is None


@pytest.mark.slow
def test_a_second_run_imports_no_torch(package: Path, tmp_path: Path) -> None:
    code = (
        "import sys\nfrom minits.cli.main import main\n"
        "main(sys.argv[1:])\nprint('torch' in sys.modules)"
    )
    environment = {**os.environ, "MINITS_CACHE": str(tmp_path / "cache")}
    printed = []
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "-c", code, "check", str(package)],
            env=environment, capture_output=True, text=True, check=True,
        )  # fmt: skip
        printed.append(done.stdout.splitlines())
    summary = "3 files: 1 program, no errors; 1 not checked (--verbose lists them)"
    assert printed == [[summary, "True"], [summary, "False"]]
