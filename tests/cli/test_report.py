"""`minits report`: files that it takes and writes, and how it refuses."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path
from typing import Any

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


LOUD = """
from torch import Tensor

def loud(x: Tensor, n: int):
    print("n is", n)
    assert n > 0, "no trips"
    for i in range(n):
        x = x.add_(i)
    return x
"""


def recorded(tmp_path: Path, n: str) -> Path:
    """Record a call of `loud`; return the file."""
    program = tmp_path / "loud.py"
    program.write_text(LOUD)
    path = tmp_path / "F.json"
    given = ["--input", "torch.ones(2)", "--input", n]
    main(["run", f"{program}:loud", *given, "--record", str(path)])
    return path


@pytest.mark.parametrize(
    ("n", "ending"),
    [("2", "<b>✓ returned</b> Tensor float32 [2]: 2, 2"),
     ("0", "<b>✗ raised</b> AssertionError: no trips, in <a ")],
)  # fmt: skip
def test_a_call_is_recorded(n: str, ending: str, tmp_path: Path, capsys: Any) -> None:
    path = recorded(tmp_path, n)
    capsys.readouterr()
    given = ["--input", "torch.ones(2)", "--input", n, "--record"]
    text = written(tmp_path, f"{tmp_path / 'loud.py'}:loud", *given)
    assert ending in text and 'data-title="Run"' in text and 'data-title="Passes"' in text
    assert capsys.readouterr().out == f"{tmp_path / 'out.html'}\n", "what it prints is in the page"
    text = written(tmp_path, str(path))
    assert ending in text and 'data-title="Run"' in text and 'data-title="Passes"' not in text


def test_inputs_that_cannot_be_copied_are_given_as_they_are(tmp_path: Path) -> None:
    """The program writes to its input, and autograd computed the second one."""
    for x in ("torch.ones(2)", "torch.ones(2, requires_grad=True) * 1"):
        recorded(tmp_path, "1")
        given = ["--input", x, "--input", "3", "--record"]
        text = written(tmp_path, f"{tmp_path / 'loud.py'}:loud", *given)
        assert "<b>✓ returned</b> Tensor float32 [2]: 4, 4" in text


def test_without_inputs_likely_calls_are_recorded(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "f.py"
    path.write_text("def f(n: int = 3) -> int:\n    return n + 1\n\ndef g(s: str):\n    return s\n")
    text = written(tmp_path, str(path), "--record")
    assert text.count('data-title="Run"') == 1
    assert "f was recorded with likely arguments" in capsys.readouterr().err


def test_a_function_without_parameters_is_recorded(tmp_path: Path) -> None:
    path = tmp_path / "empty.py"
    path.write_text("def f() -> None:\n    while False:\n        pass\n")
    text = written(tmp_path, f"{path}:f", "--record")
    assert "<b>✓ returned</b> None" in text


def test_files_that_are_no_recordings(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = recorded(tmp_path, "2")
    found = json.loads(path.read_text())
    output = ["-o", str(tmp_path / "out.html")]
    for broken, said in (
        ("", "is no recording"),
        ("[]", "it is no object of JSON"),
        (json.dumps({"format": "other"}), "its format is 'other'"),
        (json.dumps({**found, "steps": []}), "it has no steps"),
        (json.dumps({**found, "graphs": []}), "operations are of no graph"),
        (json.dumps({**found, "frames": found["frames"][:0]}), "steps[0].frame is 0, of 0"),
    ):
        (tmp_path / "bad.json").write_text(broken)
        assert main(["report", str(tmp_path / "bad.json"), *output]) == 2
        assert said in capsys.readouterr().err
        assert not (tmp_path / "out.html").exists()
    for more in (["--record"], ["--input", "1"], ["--module", "Net()"]):
        assert main(["report", str(path), *more, *output]) == 2
        assert "fit" in capsys.readouterr().err
    assert main(["report", str(tmp_path / "none.json"), *output]) == 2
    assert "cannot read" in capsys.readouterr().err


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
