"""Commands over archives, and operators that torch itself does not have."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from torch import Tensor, nn

import minits
from minits.cli.main import main
from minits.ops.libraries import NotLoaded, load_operators, registered_by

GIVEN = ("--input", "torch.ones(2, 2)")
REGISTERING = """
import torch
library = torch.library.Library("torchvision", "FRAGMENT")
library.define("shown_twice(Tensor x) -> Tensor")
library.impl("shown_twice", lambda x: x * 2, "CompositeExplicitAutograd")
"""
SAVING = """
import torch, vision, minits
def f(x: torch.Tensor):
    return torch.ops.torchvision.shown_twice(x) + 1
minits.save(minits.script(f), "twice.pt")
"""


class Inner(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return torch.relu(x) * 2

    @torch.jit.export
    def halved(self, x: Tensor) -> Tensor:
        return x / 2


class Outer(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.inner = Inner()

    def forward(self, x: Tensor) -> Tensor:
        return self.inner(x) + 1


@pytest.fixture
def saved(tmp_path: Path) -> str:
    path = tmp_path / "net.pt"
    minits.save(minits.script(Outer()), path)
    return str(path)


def shown(capsys: pytest.CaptureFixture[str], *arguments: str, status: int = 0) -> str:
    found = main(arguments)
    printed = capsys.readouterr()
    assert found == status, printed.out + printed.err
    return printed.out if status == 0 else printed.err


def test_an_archive_is_run(capsys: pytest.CaptureFixture[str], saved: str) -> None:
    assert "[3., 3.]" in shown(capsys, "run", saved, *GIVEN)
    assert "[2., 2.]" in shown(capsys, "run", f"{saved}:inner", *GIVEN)
    assert "[0.5000, 0.5000]" in shown(capsys, "run", f"{saved}:inner.halved", *GIVEN)
    assert "[0.5000, 0.5000]" in shown(
        capsys, "run", f"{saved}:inner", "--method", "halved", *GIVEN
    )


def test_an_archive_is_compiled(capsys: pytest.CaptureFixture[str], saved: str) -> None:
    text = shown(capsys, "compile", saved)
    assert "# net.forward" in text and "prim::CallMethod" in text
    text = shown(capsys, "compile", f"{saved}:inner.halved", "--emit=python")
    assert "# net.inner.halved" in text and "torch_div" in text
    assert "float" in shown(capsys, "compile", saved, "--emit=cpp", *GIVEN)


def test_an_archive_is_explained(capsys: pytest.CaptureFixture[str], saved: str) -> None:
    text = shown(capsys, "inspect", saved, "--code")
    record = next(line for line in text.splitlines() if line.startswith("code/"))
    code = text.partition(record)[2].splitlines()[1:]
    line = 1 + next(i for i, each in enumerate(code) if "torch.relu" in each)
    assert "Tensor" in shown(capsys, "explain", f"{saved}/{record}:{line}")
    assert "is in no program" in shown(capsys, "explain", f"{saved}/{record}:1", status=2)
    assert record in shown(capsys, "explain", f"{saved}/code/none.py:1", status=2)


def test_an_archive_is_debugged(
    capsys: pytest.CaptureFixture[str], saved: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("q\n"))
    assert "call" in shown(capsys, "debug", f"{saved}:inner", *GIVEN)


def test_names_and_options_that_do_not_fit(
    capsys: pytest.CaptureFixture[str], saved: str, tmp_path: Path
) -> None:
    assert "has no 'outer.forward'" in shown(capsys, "run", f"{saved}:outer.forward", status=2)
    for option in ("--module=Net()", "--fn=f", "--no-import", "--dialect=extended"):
        assert "is for Python files" in shown(capsys, "run", saved, option, status=2)
    torch.save({"a": 1}, tmp_path / "dict.pt")
    assert "cannot load" in shown(capsys, "compile", str(tmp_path / "dict.pt"), status=2)


# ---- Operators ---------------------------------------------------------------------------------


def run_in(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.run(
        [sys.executable, "-W", "ignore", *arguments],
        cwd=folder, env=environment, capture_output=True, text=True, timeout=300,
    )  # fmt: skip


@pytest.fixture
def unknown(tmp_path: Path) -> Path:
    """A folder with an archive that calls an operator which a module there registers."""
    (tmp_path / "vision.py").write_text(REGISTERING)
    (tmp_path / "saving.py").write_text(SAVING)
    done = run_in(tmp_path, "saving.py")
    assert done.returncode == 0, done.stderr
    return tmp_path


@pytest.mark.slow
def test_an_operator_that_no_library_has_registered(
    capsys: pytest.CaptureFixture[str], unknown: Path
) -> None:
    path = str(unknown / "twice.pt")
    with pytest.raises(RuntimeError, match=r"Unknown builtin op.*shown_twice") as fault:
        minits.load(path)
    assert "first `import torchvision`" in str(fault.value)
    assert main(["check", path, "--no-cache"]) == 1
    assert "--import torchvision" in (told := "".join(capsys.readouterr()))
    assert "code/__torch__.py, byte" in told and "write it again" not in told
    assert main(["inspect", path]) == 1
    assert "first `import torchvision`" in capsys.readouterr().out


@pytest.mark.slow
def test_a_module_that_registers_it(unknown: Path) -> None:
    minits_of = ("-m", "minits")
    given = ("twice.pt", "--import", "vision")
    for command in (("run", *GIVEN), ("check",), ("inspect",), ("compile",),
                    ("explain",), ("build", "-o", "built", "--no-compile")):  # fmt: skip
        name, *more = command
        target = given if name != "explain" else ("twice.pt:6", *given[1:])
        done = run_in(unknown, *minits_of, name, *target, *more)
        assert done.returncode == 0, (command, done.stdout, done.stderr)
        if name == "run":
            assert "[3., 3.]" in done.stdout


def test_what_cannot_be_loaded(capsys: pytest.CaptureFixture[str], saved: str) -> None:
    for command in ("run", "check"):
        more = ("--no-cache",) if command == "check" else GIVEN
        text = shown(capsys, command, saved, "--import", "no_such_module", *more, status=2)
        assert "--import no_such_module: ModuleNotFoundError" in text
    with pytest.raises(NotLoaded, match=r"--load-library none\.so"):
        load_operators([], ["none.so"])


def test_where_operators_come_from() -> None:
    assert registered_by("aten") is None
    assert "`import torch_scatter`" in str(registered_by("torch_scatter"))
    assert "torch.ops.load_library('FILE.so')" in str(registered_by("my_operators"))


def test_a_program_that_calls_an_operator_of_another_library() -> None:
    def f(x: Tensor) -> Tensor:
        return torch.ops.torchaudio.no_such_operator(x)

    with pytest.raises(minits.CompileError, match="first `import torchaudio`"):
        minits.script(f)
