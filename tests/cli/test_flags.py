"""Flags are obeyed or refused, never ignored: each with each kind of `--emit`."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from minits.cli.compile_options import EMIT_KINDS
from minits.cli.main import command_line, main
from minits.passes import instrumentation

PROGRAMS = """
import sys
import torch
from torch import Tensor, nn

print("imported", file=sys.stderr)

def small(x: Tensor) -> Tensor:
    return torch.tanh(x) * 2 + 1

def newer(x: Tensor) -> Tensor:
    if (n := x.dim()) > 1:
        return x + n
    return x

class Net(nn.Module):
    def __init__(self, n: int):
        super().__init__()
        self.n = n

    def forward(self, x: Tensor) -> Tensor:
        return torch.tanh(x) * self.n

    @torch.jit.export
    def other(self, x: Tensor) -> Tensor:
        return x - self.n

net = Net(2)
"""
A_PASS = "def swap_nothing(graph):\n    print('it ran')\n    return False\n"
IR = """# small
graph(%x : Tensor):
  %two : int = prim::Constant[value=2]()
  %unused : Tensor = aten::relu(%x)
  %y : Tensor = aten::mul(%x, %two)
  return (%y)
"""


class Case(NamedTuple):
    """A flag with a value, and the program that it is given for."""

    flags: tuple[str, ...]
    program: str = "small"


CASES = {
    "--output": Case(("-o", "out.txt")),
    "--method": Case(("--method", "other"), "net"),
    "--method of a function": Case(("--method", "other")),
    "--input": Case(("--input", "torch.ones(2, 3, dtype=torch.float64)")),
    "--remarks": Case(("--remarks",)),
    "--remarks-output": Case(("--remarks-output", "remarks.yaml")),
    "--passes": Case(("--passes", "inline")),
    "--load-pass": Case(("--load-pass", "a_pass.py", "--passes", "swap-nothing")),
    "--load-pass alone": Case(("--load-pass", "a_pass.py")),
    "--list-passes": Case(("--list-passes",)),
    "--print-ir-before": Case(("--print-ir-before", "to-ssa")),
    "--print-ir-before another": Case(("--print-ir-before", "fuse")),
    "--print-ir-after": Case(("--print-ir-after",)),
    "--print-ir-after-change": Case(("--print-ir-after-change",)),
    "--print-changed": Case(("--print-changed=diff",)),
    "--verify-each": Case(("--verify-each",)),
    "--time-passes": Case(("--time-passes",)),
    "--dialect": Case(("--dialect=extended",), "newer"),
    "--no-import": Case(("--no-import",)),
    "--module": Case(("--module", "Net(3)"), ""),
    "--fn": Case(("--fn", "small"), ""),
    "--emit-ir": Case(("--emit-ir",)),
    "--import": Case(("--import", "no_such_module")),
    "--load-library": Case(("--load-library", "none.so")),
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "programs.py").write_text(PROGRAMS)
    (tmp_path / "a_pass.py").write_text(A_PASS)
    (tmp_path / "small.ir").write_text(IR)
    monkeypatch.chdir(tmp_path)
    return tmp_path


class Outcome(NamedTuple):
    """What can be seen of a command, and the number of graphs that it verified."""

    status: int
    out: str
    err: str
    files: tuple[str, ...]
    verified: int


@pytest.fixture
def outcome(folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):
    def run(*arguments: str) -> Outcome:
        verified = []
        monkeypatch.setattr(instrumentation, "verify", lambda graph, **_: verified.append(graph))
        status = main(arguments)
        out, err = capsys.readouterr()
        files = tuple(sorted(path.name for path in folder.iterdir()))
        return Outcome(status, out, err, files, len(verified))

    return run


@pytest.mark.one_in(12)
@pytest.mark.parametrize("kind", EMIT_KINDS)
@pytest.mark.parametrize("name", CASES)
def test_each_flag_changes_the_output_or_is_refused(outcome, kind: str, name: str) -> None:
    case = CASES[name]
    target = f"programs.py:{case.program}" if case.program else "programs.py"
    command = ["compile", target, f"--emit={kind}"]
    before = outcome(*command)
    after = outcome(*command, *case.flags)
    if after.status == 2:
        said = after.err.removeprefix("imported\n")
        assert any(flag.partition("=")[0] in said for flag in case.flags)
        assert said.startswith("minits: ") and not after.out
    else:
        assert after.status == 0, after.err
        assert after != before


def test_every_flag_is_in_the_table() -> None:
    (commands,) = [action for action in command_line()._actions if action.dest == "command"]
    flags = {name for name in commands.choices["compile"]._option_string_actions if name[1] == "-"}
    assert flags - {"--help", "--emit"} == {name.split()[0] for name in CASES}


@pytest.mark.parametrize("kind", ["ir", "dot"])
@pytest.mark.parametrize("name", [n for n, case in CASES.items() if "pass" in n or "-ir-" in n])
def test_each_flag_of_opt_changes_the_output_or_is_refused(outcome, kind: str, name: str) -> None:
    flags = ["dce" if flag in ("to-ssa", "inline") else flag for flag in CASES[name].flags]
    command = ["opt", "small.ir", f"--emit={kind}", "--passes=dce"]
    if "--passes" in flags:
        command.pop()
    before, after = outcome(*command), outcome(*command, *flags)
    assert after.status in (0, 2)
    assert after != before


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["run", "programs.py:small", "--method=other"], "small is a function"),
        (["run", "programs.py:small", "--native", "--stats"], "--stats tells of plans"),
        (["run", "programs.py:net", "--method=third"], "no compiled method 'third'"),
        (["run", "programs.py:net", "--input=x=1", "--input=x=2"], "NAME=... is given twice"),
        (["run", "programs.py:net", "--input", "-torch.ones(2)"], "is written --option=-VALUE"),
        (["compile", "programs.py", "--input=1", "--emit=cpp"], "--input is for one program"),
        (["compile", "programs.py", "--module=Net(1)", "--fn=small"], "not allowed with"),
        (["compile", "programs.py:Nett", "--module=Net(1)"], "has no 'Nett'"),
        (["compile", "small.ir"], "minits opt"),
        (["compile", "programs.py", "--emitt=ir"], "did you mean --emit?"),
        (["compile", "programs.py", "--emit=irr"], "did you mean ir?"),
        (["complie", "programs.py"], "did you mean compile?"),
        (["compile", "programs.py", "more.py"], "one argument too many: 'more.py'"),
        (["compile", "programs.py", "--remarks-out", "x"], "no option --remarks-out"),
        (["compile"], "FILE[:NAME]"),
        ([], "COMMAND"),
    ],
)
def test_misuse_has_a_message_of_ours(outcome, arguments: list[str], told: str) -> None:
    found = outcome(*arguments)
    assert (found.status, found.out) == (2, "")
    assert found.err.removeprefix("imported\n").startswith("minits: ")
    assert told in found.err
    assert "usage:" not in found.err


def test_arguments_may_be_named(outcome) -> None:
    found = outcome("run", "programs.py:net", "--input", "x=torch.zeros(2)")
    assert (found.status, found.out) == (0, "tensor([0., 0.])\n")
    found = outcome("run", "programs.py:net.other", "--input", "x = torch.zeros(1) == 0")
    assert found.status == 1 and "Subtraction" in found.err
    named = outcome(
        "compile", "programs.py:net.other", "--emit=optimized", "--input=x=torch.ones(2)"
    )
    assert named.out.startswith("# net.other\ngraph(%self")


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    "command",
    [["run"], ["compile", "--emit=optimized"], ["build", "-o", "made"], ["report", "-o", "f.html"],
     ["run", "--record", "run.json"], ["explain"]],
    ids=" ".join,
)  # fmt: skip
def test_arguments_may_name_what_the_file_defines(
    outcome, folder: Path, command: list[str]
) -> None:
    (folder / "pairs.py").write_text(PAIRS, encoding="utf-8")
    name, *options = command
    target = "pairs.py:11" if name == "explain" else "pairs.py:product"
    found = outcome(name, target, *options, "--input", "Pair(2, 3)", "--input", "n=FOUR")
    assert (found.status, found.err) == (0, "")
    if command == ["run"]:
        assert found.out == "24\n"


PAIRS = """
from typing import NamedTuple

FOUR = 4

class Pair(NamedTuple):
    x: int
    y: int

def product(p: Pair, n: int) -> int:
    return p.x * p.y * n
"""


def test_a_function_of_standard_input(outcome, monkeypatch: pytest.MonkeyPatch) -> None:
    import io
    import sys

    text = "def f(n: int):\n    return n\n\ndef g(n: int):\n    return n + 1\n"
    monkeypatch.setattr(sys, "stdin", io.StringIO(text))
    found = outcome("compile", "-:g", "--emit=code")
    assert found.out.startswith("# g\ndef g(n: int) -> int:")
    monkeypatch.setattr(sys, "stdin", io.StringIO(text))
    assert "<stdin>" not in outcome("compile", "-:h").err


def test_passes_are_listed_with_a_line_on_each(outcome) -> None:
    for command in (["compile", "--passes"], ["opt", "--passes"], ["opt", "--list-passes"]):
        found = outcome(*command)
        assert found.status == 0
        lines = found.out.partition("\n\nPipelines\n")[0].splitlines()[1:]
        names = {line.split()[0] for line in lines}
        assert {"to-ssa", "dce", "fuse"} <= names
        assert all(len(line.split()) > 2 and len(line) < 120 for line in lines)
