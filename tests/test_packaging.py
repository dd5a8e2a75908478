"""The grammar is found from a bare checkout, from an editable install and from a wheel."""

import os
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PARSE = """
from minits.source import SourceFile
from minits.syntax import parse_module
import minits
print(minits.__file__)
print(len(parse_module(SourceFile("a.py", "x = 1\\ny = x + 2\\n")).body))
"""


def parse_from(folder: Path, package_root: Path, cache: Path) -> list[str]:
    """Parse a two-line program in a fresh process that sees minits at `package_root` alone."""
    environment = {**os.environ, "PYTHONPATH": str(package_root), "XDG_CACHE_HOME": str(cache)}
    done = subprocess.run(
        [sys.executable, "-c", PARSE], cwd=folder, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def test_bare_checkout(tmp_path: Path) -> None:
    where, statements = parse_from(tmp_path, ROOT, tmp_path / "cache")
    assert Path(where).is_relative_to(ROOT)
    assert statements == "2"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [
            sys.executable,
            "-m",
            "pip",
            "wheel",
            "--quiet",
            "--no-deps",
            "-w",
            str(folder),
            str(ROOT),
        ],
        check=True,
    )
    (built,) = folder.glob("minits-*.whl")
    return built


@pytest.mark.slow
def test_wheel(wheel: Path, tmp_path: Path) -> None:
    installed = tmp_path / "site"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(installed)
    where, statements = parse_from(tmp_path, installed, tmp_path / "cache")
    assert Path(where).is_relative_to(installed)
    assert statements == "2"


PROGRAM = """
import torch
from torch import Tensor

def scaled(x: Tensor, by: int) -> Tensor:
    return torch.tanh(x) * by
"""


@pytest.mark.slow
def test_a_wheel_in_an_environment_of_its_own(wheel: Path, tmp_path: Path) -> None:
    """Its command compiles and runs a program; what it depends on is read from this environment."""
    home = tmp_path / "environment"
    venv.create(home, with_pip=False, symlinks=os.name != "nt")
    scripts = home / ("Scripts" if os.name == "nt" else "bin")
    install = [sys.executable, "-m", "pip", "--python", str(scripts / "python"), "install"]
    subprocess.run([*install, "--quiet", "--no-deps", str(wheel)], check=True)
    (site,) = home.rglob("site-packages")
    (site / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    (tmp_path / "program.py").write_text(PROGRAM)
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    run = [str(scripts / "minits"), "run", "program.py:scaled", "--input", "x=torch.zeros(2)"]
    done = subprocess.run(
        [*run, "--input", "by=3"], cwd=tmp_path, env=environment, capture_output=True, text=True
    )
    assert (done.returncode, done.stdout) == (0, "tensor([0., 0.])\n"), done.stderr
    where = subprocess.run(
        [str(scripts / "python"), "-c", "import minits; print(minits.__file__)"],
        cwd=tmp_path, env=environment, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert Path(where.stdout.strip()).is_relative_to(home)


def test_a_wheel_explains_codes(wheel: Path, tmp_path: Path) -> None:
    installed = tmp_path / "site"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(installed)
    done = subprocess.run(
        [sys.executable, "-m", "minits", "explain", "TS003"],
        cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(installed)},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout.startswith("## TS003 Brackets do not match")


def test_wheel_holds_grammars_and_nothing_of_the_repository(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    grammars = {"minits/_grammar/torchscript.lark", "minits/_grammar/ir.lark"}
    assert grammars | {"minits/py.typed"} <= set(names)
    pages = {f"minits/_docs/{path.name}" for path in (ROOT / "docs").glob("*.md")}
    assert pages <= set(names)
    assert not [name for name in names if "/broken/" in name], "pip compiles what it installs"
    assert {name.split("/")[0].split("-")[0] for name in names} == {"minits"}


def test_editable_install_finds_the_checkout(tmp_path: Path) -> None:
    """An editable install puts a path entry to the checkout into site-packages; make one such."""
    site = tmp_path / "site"
    site.mkdir()
    (site / "minits.pth").write_text(f"{ROOT}\n")
    code = f"import site; site.addsitedir({str(site)!r})\n{PARSE}"
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert Path(done.stdout.split()[0]).is_relative_to(ROOT)


@pytest.mark.slow
def test_the_suite_runs_from_wheels_alone(wheel: Path, tmp_path: Path) -> None:
    """The distribution minits-conformance has the cases, and what torch.jit did."""
    project = ROOT / "distributions" / "minits-conformance"
    command = ["pip", "wheel", "--quiet", "--no-deps", "-w", str(tmp_path), str(project)]
    subprocess.run([sys.executable, "-m", *command], check=True)
    (built,) = tmp_path.glob("minits_conformance-*.whl")
    installed = tmp_path / "site"
    for each in (wheel, built):
        with zipfile.ZipFile(each) as archive:
            archive.extractall(installed)
    suite = "import runpy, sys, conformance; print(conformance.__file__); sys.argv[1:] = {}; "
    suite += "runpy.run_module('conformance', run_name='__main__', alter_sys=True)"
    arguments = ["run", "--case", "functions/rounding", "--jobs", "1"]
    done = subprocess.run(
        [sys.executable, "-c", suite.format(arguments)],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(installed)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert Path(done.stdout.split()[0]).is_relative_to(installed)
    assert done.stdout.count("100%") >= 6
