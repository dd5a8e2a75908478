"""`minits report`: files that it takes and writes, and how it refuses."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest
import torch
from torch import Tensor, nn

import minits
from minits.cli import report_page
from minits.cli.main import main

PROGRAMS = """
import torch
from torch import Tensor, nn

def good(x: Tensor) -> Tensor:
    return torch.tanh(x * 2) + 1

def strange(x: Tensor) -> Tensor:
    return x.nothing()

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(2, 3)
    def forward(self, x: Tensor) -> Tensor:
        return torch.relu(self.layer(x))
"""


@pytest.fixture
def programs(tmp_path: Path) -> str:
    path = tmp_path / "programs.py"
    path.write_text(PROGRAMS)
    return str(path)


def written(tmp_path: Path, *arguments: str) -> str:
    """Write a page, and return it."""
    output = tmp_path / "out.html"
    assert main(["report", *arguments, "-o", str(output)]) == 0
    return output.read_text(encoding="utf-8")


def test_a_function(programs: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = written(tmp_path, f"{programs}:good", "--input", "torch.randn(3)")
    assert 'id="good"' in text
    assert "prim::FusionGroup_0" in text
    assert "aten::tanh is in kernel 0" in text
    assert capsys.readouterr().out == f"{tmp_path / 'out.html'}\n"


def test_a_module_has_its_parts_and_their_times(programs: str, tmp_path: Path) -> None:
    text = written(tmp_path, f"{programs}:Net", "--input", "torch.randn(4, 2)")
    assert "weight: float32[3, 2]; bias: float32[3]" in text
    assert text.count("<meter") == 2


class Scaled(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return torch.exp(x) * 3


def test_an_archive(tmp_path: Path) -> None:
    path = tmp_path / "scaled.pt"
    minits.save(minits.script(Scaled()), path)
    text = written(tmp_path, str(path), "--input", "torch.randn(2)")
    assert 'id="scaled.forward"' in text
    assert "aten::exp is in kernel 0" in text


def test_text_of_programs_is_no_markup(tmp_path: Path) -> None:
    path = tmp_path / "odd.py"
    path.write_text('def odd(x: int) -> str:\n    return "</script><b>&" + str(x)\n')
    text = written(tmp_path, str(path))
    assert "<b>&" not in text
    assert text.count("</script>") == 2


def test_faults_are_reported_and_the_others_shown(
    programs: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = tmp_path / "out.html"
    assert main(["report", programs, "-o", str(output)]) == 1
    assert "nothing" in capsys.readouterr().err
    assert 'id="good"' in output.read_text(encoding="utf-8")


def test_a_missing_package_is_told(
    programs: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(
        report_page, "find_spec", lambda name: None if name == "grandalf" else find_spec(name)
    )
    assert main(["report", f"{programs}:good", "-o", str(tmp_path / "out.html")]) == 2
    assert "grandalf" in (said := capsys.readouterr().err)
    assert "pip install 'minits[report]'" in said


def test_misuse(programs: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    nowhere = str(tmp_path / "no" / "such" / "out.html")
    assert main(["report", f"{programs}:good", "-o", nowhere]) == 2
    assert "cannot write" in capsys.readouterr().err
    assert main(["report", str(tmp_path / "none.py"), "-o", nowhere]) == 2
    (tmp_path / "empty.py").write_text("")
    assert main(["report", str(tmp_path / "empty.py"), "-o", nowhere]) == 2
    assert "nothing to compile" in capsys.readouterr().err
    torch.save({"a": 1}, tmp_path / "dict.pt")
    assert main(["report", str(tmp_path / "dict.pt"), "-o", nowhere]) == 2
    assert "cannot load" in capsys.readouterr().err
