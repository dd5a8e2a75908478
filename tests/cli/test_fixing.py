"""`minits check --fix`, `--diff` and `--unsafe-fixes`."""

import io
from pathlib import Path

import pytest

from minits.cli.main import main

PROGRAM = """import torch
from torch import Tensor, nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(2, 2), nn.Linear(2, 2)])
        self.last = None

    def forward(self, x: Tensor):
        for i in range(len(self.layers)):
            x = self.layers[i](x)
        self.last = x
        return torch.reluu(x)


@torch.jit.script
def f(n: int):
    xs = []
    xs.append(+n)
    return n in {1, +2}, xs


net = Net()
"""
SAFELY = (
    PROGRAM.replace("for i in range(len(self.layers))", "for layer in self.layers")
    .replace("self.layers[i](x)", "layer(x)")
    .replace("    xs = []\n    xs.append(+n)", "    xs: list[int] = []\n    xs.append(n)")
    .replace("{1, +2}", "[1, 2]")
    .replace("    def __init__", "    last: Tensor | None\n\n    def __init__")
)
UNSAFELY = SAFELY.replace("reluu", "relu")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "fixed_program.py"
    path.write_text(PROGRAM, encoding="utf-8")
    return path


def test_safe_edits_are_made_and_the_faults_that_are_left_told(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", "--fix", str(file)]) == 1
    assert file.read_text(encoding="utf-8") == SAFELY
    told = capsys.readouterr().err
    assert "1 error; 6 mended" in told and "[TS302]" in told and told.count("error: ") == 1


def test_unsafe_edits_are_made_when_asked_for(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", "--fix", "--unsafe-fixes", str(file)]) == 0
    assert file.read_text(encoding="utf-8") == UNSAFELY
    assert main(["check", str(file)]) == 0
    assert "no errors" in capsys.readouterr().out


def test_a_diff_writes_nothing(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--diff", str(file)]) == 1
    assert file.read_text(encoding="utf-8") == PROGRAM
    diff = capsys.readouterr().out.splitlines()
    assert diff[:2] == [f"--- {file}", f"+++ {file}"]
    assert "-        for i in range(len(self.layers)):" in diff
    assert "+        for layer in self.layers:" in diff


def test_a_file_without_edits_has_no_diff(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "right_program.py"
    path.write_text("def f(n: int):\n    return n\n", encoding="utf-8")
    assert main(["check", "--fix", "--diff", str(path)]) == 0
    assert capsys.readouterr().out == ""


def test_standard_input_is_mended_on_standard_output(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("def f(n: int):\n    return +n\n"))
    assert main(["check", "--fix", "-"]) == 0
    assert capsys.readouterr().out == "def f(n: int):\n    return n\n"


def test_a_text_that_is_no_python_is_mended(tmp_path: Path) -> None:
    path = tmp_path / "no_python.py"
    path.write_bytes(b"def f(n: int)\r\n    return +n\r\n")
    assert main(["check", "--fix", str(path)]) == 0
    assert path.read_bytes() == b"def f(n: int):\r\n    return n\r\n"


def test_unsafe_fixes_alone_are_refused(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--unsafe-fixes", str(file)]) == 2
    assert "goes with --fix or --diff" in capsys.readouterr().err
