"""`minits inspect`: what it prints where, and its exit status."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import torch
from torch import Tensor, nn

import minits
from minits.cli.main import main


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.Linear(2, 3)

    def forward(self, x: Tensor) -> Tensor:
        return torch.relu(self.layer(x))


@pytest.fixture
def saved(tmp_path: Path) -> str:
    path = str(tmp_path / "net.pt")
    minits.save(minits.script(Net()), path)
    return path


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = main(("inspect", *arguments))
    captured = capsys.readouterr()
    return status, captured.out, captured.err


def test_people(capsys: pytest.CaptureFixture[str], saved: str) -> None:
    status, out, err = run(capsys, saved)
    assert (status, err) == (0, "")
    assert "├── layer: torch.nn.modules.linear.Linear" in out or "└── layer" in out
    assert "weight  float32[3, 2]" in out and "9 elements of parameters" in out
    assert "aten::relu" in out and "nothing unusual" in out
    assert "class Linear(Module):" not in out


def test_code(capsys: pytest.CaptureFixture[str], saved: str) -> None:
    assert "class Linear(Module):" in run(capsys, saved, "--code")[1]


def test_json(capsys: pytest.CaptureFixture[str], saved: str) -> None:
    found = json.loads(run(capsys, saved, "--json")[1])
    assert found["parameter_count"] == 9 and found["version"] == 3 and "code" not in found
    assert "class Linear" in str(json.loads(run(capsys, saved, "--json", "--code")[1])["code"])


def test_files_that_are_none(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    status, out, err = run(capsys, str(tmp_path / "none.pt"))
    assert (status, out) == (2, "") and "No such file" in err and "Traceback" not in err
    (tmp_path / "text.pt").write_text("text")
    status, out, err = run(capsys, str(tmp_path / "text.pt"))
    assert status == 1 and "refused: " in out and "does not begin as a ZIP file" in out
    status, out, err = run(capsys, str(tmp_path / "text.pt"), "--json")
    assert status == 1 and json.loads(out)["findings"][0]["kind"] == "refused"
    assert run(capsys, str(tmp_path))[0] == 2  # a folder


def test_texts_of_archives_do_not_steer_the_terminal(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = str(tmp_path / "net.pt")
    minits.save(minits.script(Net()), path, {"a\x1b[2Jb": "text"})
    status, out, _ = run(capsys, path)
    assert status == 0 and "\x1b" not in out and "a\\x1b[2Jb" in out
