"""`minits explain FILE:LINE[:COLUMN]`: types and their origins, branches left out, kernels."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from minits.cli.main import main

PROGRAM = """\
import torch
from torch import Tensor, nn
from typing import Final, Optional

class Net(nn.Module):
    flag: Final[bool]

    def __init__(self):
        super().__init__()
        self.flag = False
        self.w = nn.Parameter(torch.ones(3))

    def forward(self, x: Tensor, y: Optional[Tensor], n: int = 2):
        if hasattr(self, "bias"):
            x = x + self.bias
        if isinstance(n, int):
            total = n * 2
        else:
            total = 0
        if y is not None:
            x = x + y * 2
            y = None
        z = y
        for i in range(n):
            total = total + i
            x = torch.mm(x, x) * self.w
        if x is None or self.flag:
            return x, total
        if not self.flag:
            z = None
        if torch.jit.is_scripting():
            return x if z is None else x - 1, total
        return x, 1

    @torch.jit.unused
    def never(self, x: Tensor) -> Tensor:
        return x

net = Net()
"""


@pytest.fixture
def explain(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "model.py").write_text(PROGRAM)
    monkeypatch.chdir(tmp_path)

    def run(what: str, *options: str) -> list[str]:
        assert main(["explain", what, *options]) == 0
        return capsys.readouterr().out.splitlines()

    return run


def line_of(text: str) -> int:
    """Return the number of the line of the program that begins with a text."""
    lines = [line.strip() for line in PROGRAM.splitlines()]
    return next(number for number, line in enumerate(lines, 1) if line.startswith(text))


def test_a_refinement_and_a_kernel(explain) -> None:
    line = line_of("x = x + y * 2")
    assert explain(f"model.py:{line}") == [
        f"model.py:{line} in Net.forward",
        "    x = x + y * 2",
        "  x          Tensor; inferred from what is assigned",
        "  x          Tensor; a parameter, annotated in line 13",
        "  x + y * 2  Tensor",
        f"  y          Tensor, refined from Optional[Tensor] by line {line - 1}; a parameter, "
        "annotated in line 13",
        "  y * 2      Tensor",
        "aten::mul is in kernel 0 [fused]",
        "    in net.forward (y is given)",
        "aten::add is in kernel 0 [fused]",
        "    in net.forward (y is given)",
    ]


def test_a_column_chooses_an_expression(explain) -> None:
    line = line_of("x = x + y * 2")
    column = PROGRAM.splitlines()[line - 1].index("y") + 1
    found = explain(f"model.py:{line}:{column}")
    assert found[2].startswith("  y  Tensor, refined from")
    assert len([each for each in found if each.startswith("  ")]) < 6


def test_a_refinement_that_has_ended(explain) -> None:
    line = line_of("z = y")
    (found,) = [each for each in explain(f"model.py:{line}") if each.startswith("  y ")]
    assert found == (
        f"  y  Optional[Tensor], line {line - 3} refined it to Tensor within lines {line - 3} to "
        f"{line - 1} only; a parameter, annotated in line 13, or assigned in line {line - 1}"
    )


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("x = x + self.bias", '`hasattr(self, "bias")` of line 14 is false while compiling: self '
         'has no attribute "bias"'),
        ("total = 0", "`isinstance(n, int)` of line 16 is true while compiling: n is of type int"),
        ("return x, total", "`x is None or self.flag` of line 27 is false while compiling: x is of "
         "type Tensor, and never None"),
        ("return x, 1", None),
    ],
)  # fmt: skip
def test_a_branch_that_is_not_compiled(explain, line: str, told: str | None) -> None:
    found = explain(f"model.py:{line_of(line)}")
    if told is not None:
        assert found[2:] == [f"  not compiled: {told}"]
    else:
        assert not any("not compiled" in each for each in found)


def test_a_test_tells_what_it_leaves_out(explain) -> None:
    found = explain(f"model.py:{line_of('if isinstance')}")
    assert f"  line {line_of('total = 0')} is not compiled: `isinstance(n, int)` of" in found[3]
    line = line_of("return x if z")
    assert (
        f"  `x - 1` is not compiled: `z is None` of line {line} is true while compiling: z is "
        "always None" in explain(f"model.py:{line}")
    )


def test_the_assignments_that_reach_a_use(explain) -> None:
    line = line_of("total = total + i")
    found = explain(f"model.py:{line}")
    first = line_of("total = n * 2")
    assert f"  total      int; assigned in line {first} or {line}" in found
    assert f"  i          int; assigned in line {line - 1}" in found
    assert "in no kernel: what runs here computes no tensor (aten::add)" in found


def test_why_an_operator_is_in_no_kernel(explain) -> None:
    line = line_of("x = torch.mm")
    found = explain(f"model.py:{line}")
    assert "aten::mm is not computed by kernels [not-elementwise]" in found
    assert "    in net.forward (y is None), net.forward (y is given)" in found


def test_a_call_that_is_given(explain) -> None:
    line = line_of("x = x + y * 2")
    call = ["--input", "torch.ones(3, 3)", "--input", "y=torch.ones(3, 3)"]
    assert "    in net.forward" in explain(f"model.py:{line}", *call)


def test_text_alone(explain, tmp_path: Path) -> None:
    (tmp_path / "text.py").write_text("def f(n: int):\n    m = n + 1\n    return m\n")
    found = explain("text.py:3", "--no-import")
    assert found[:3] == ["text.py:3 in f", "    return m", "  m  int; assigned in line 2"]


def test_standard_input(explain, monkeypatch: pytest.MonkeyPatch, capsys) -> None:
    text = "def f(n: int):\n    return n + 1\n\nx = 1\n"
    monkeypatch.setattr(sys, "stdin", io.StringIO(text))
    assert "  n      int; a parameter, annotated in line 1" in explain("-:2")
    monkeypatch.setattr(sys, "stdin", io.StringIO(text))
    assert main(["explain", "-:4"]) == 2
    assert "line 4 of <stdin> is in no program" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("what", "told"),
    [
        (["model.py:1"], "line 1 of model.py is in no function, and so not compiled"),
        (["model.py:37"], "Net.never (line 37 of model.py) is not compiled: the file makes no"),
        (["model.py:36"], "make one with --module 'Net(...)'"),
        (["model.py:9"], "Net.__init__ (line 9 of model.py) runs in Python"),
        (["nothing.py:3"], "cannot read nothing.py"),
        (["TS402", "--fn", "f"], "--fn is for a place of a program"),
        (["too-small", "--input", "1"], "--input is for a place of a program"),
    ],
)
def test_misuse(explain, capsys, what: list[str], told: str) -> None:
    assert main(["explain", *what]) == 2
    captured = capsys.readouterr()
    assert (captured.out, told in captured.err) == ("", True)


def test_a_program_at_fault_is_explained_as_far_as_it_was_understood(
    explain, capsys, tmp_path: Path
) -> None:
    (tmp_path / "wrong.py").write_text("def f(n: int):\n    m = n + 1\n    return m + nothing\n")
    assert main(["explain", "wrong.py:2"]) == 0
    captured = capsys.readouterr()
    assert "  m      int; inferred from what is assigned" in captured.out
    assert "note: f does not compile: see minits check wrong.py" in captured.err


def test_however_a_file_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "folder"
    (folder / "inner").mkdir(parents=True)
    (folder / "program.py").write_text(
        "from torch import Tensor\n\ndef f(x: Tensor) -> Tensor:\n    return x.exp() + 1\n"
    )
    (folder / "linked.py").symlink_to("program.py")
    (tmp_path / "link").symlink_to("folder")
    (folder / "package").mkdir()
    (folder / "package" / "__init__.py").touch()
    (folder / "package" / "part.py").symlink_to("../program.py")
    monkeypatch.chdir(folder / "inner")
    names = ["../program.py", "./../inner/../program.py", str(folder / "program.py")]
    names += ["../linked.py", "../../link/program.py", "../package/part.py"]
    shown = []
    for name in names:
        assert main(["explain", f"{name}:4", "--input=__import__('torch').ones(2)"]) == 0
        first, *rest = capsys.readouterr().out.splitlines()
        assert first == f"{name}:4 in f"
        shown.append(rest)
    assert shown[1:] == shown[:-1]
    assert any("kernel" in line for line in shown[0])
