"""The command line: what it prints where, and its exit status."""

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch

from minits.cli.main import main

ROOT = Path(__file__).parents[2]
MASKS = str(ROOT / "examples" / "masked_softmax.py")
FUNCTIONS = str(ROOT / "examples" / "functions.py")
FAULTY = """
import torch
from typing import Optional

def first(x: Optional[torch.Tensor]):
    return x + 1

def second():
    return undefined_name

def third(n: int):
    if n > 0:
        z = 1
    return z

def fourth(xs: list[int]):
    xs.push(3)
    y = xs + unknown
    return y

def fifth(n: int):
    try:
        return n
    except ValueError:
        return 0
"""


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = main(arguments)
    captured = capsys.readouterr()
    return status, captured.out, captured.err


def test_compile_prints_ir_for_every_program_of_a_file(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = run(capsys, "compile", MASKS, "--emit-ir")
    assert (status, err) == (0, "")
    headers = [line for line in out.splitlines() if line.startswith("# ")]
    assert headers == [f"# {n}.forward" for n in "untyped optional unmasked asserted empty".split()]
    assert "prim::If" in out


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("ast", "FunctionDef name='collatz'"),
        ("types", "collatz(int n) -> int"),
        ("ir", "prim::Loop"),
        ("inlined", "prim::Loop"),
        ("optimized", "prim::Loop"),
        ("code", "while _"),
        ("python", "while True:"),
        ("native", "int64_t steps = 0;"),
    ],
)
def test_emit(capsys: pytest.CaptureFixture[str], kind: str, expected: str) -> None:
    status, out, _ = run(capsys, "compile", f"{FUNCTIONS}:collatz", f"--emit={kind}")
    assert status == 0
    assert expected in out


def test_what_is_not_native_is_told_with_its_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "shown.py"
    file.write_text("def shown(pattern: str) -> str:\n    return pattern.format(1)\n")
    status, out, _ = run(capsys, "compile", f"{file}:shown", "--emit=native")
    assert status == 0
    assert "shown.py:2: aten::format is not native" in out


def test_ir_reads_back_and_torch_reads_it(capsys: pytest.CaptureFixture[str]) -> None:
    from minits.ir.parser import parse_graph
    from minits.ir.printer import print_graph

    _, out, _ = run(capsys, "compile", f"{FUNCTIONS}:collatz")
    text = out.partition("\n")[2]
    assert print_graph(parse_graph(text)) == text.rstrip("\n") + "\n"
    assert "prim::Loop" in str(torch._C.parse_ir(text))


def test_run(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "run", f"{FUNCTIONS}:collatz", "--input", "27")
    assert (status, out) == (0, "111\n")


def test_module_expression_and_output_file(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    target = tmp_path / "out.ir"
    status, out, _ = run(
        capsys, "compile", MASKS, "--module", "OptionalMask(8, 2)", "-o", str(target)
    )
    assert (status, out) == (0, "")
    assert "graph(%self : __torch__.masked_softmax" in target.read_text()


def test_check_reports_every_fault_of_a_file(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "faulty.py"
    path.write_text(FAULTY)
    for options in ([], ["--no-import"]):
        status, out, err = run(capsys, "check", str(path), *options)
        assert (status, out) == (1, "")
        lines = [line for line in err.splitlines() if ": error: " in line]
        places = [int(line.partition(":")[2].partition(":")[0]) for line in lines]
        assert places == [6, 9, 12, 17, 18, 22]
        assert err.endswith("6 errors\n")


def test_a_fault_has_no_consequences(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "one.py"
    path.write_text("def f(n: int):\n    x = nothing\n    y = x + 1\n    z = y * x\n    return z\n")
    _, _, err = run(capsys, "check", str(path))
    assert err.endswith("1 error\n")


def test_a_file_of_a_package_imports_its_neighbours(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "cli_package" / "layers"
    folder.mkdir(parents=True)
    (folder / "__init__.py").touch()
    (folder.parent / "__init__.py").touch()
    (folder.parent / "scales.py").write_text("def doubled(x: int) -> int:\n    return x * 2\n")
    own = "def program(x: int) -> int:\n    return doubled(x) + 1\n"
    (folder / "mine.py").write_text(f"from ..scales import doubled\n\n{own}")
    (folder / "lost.py").write_text("from ..nothing import doubled\n")
    monkeypatch.chdir(folder)
    monkeypatch.setattr(sys, "path", [*sys.path])
    assert run(capsys, "run", "mine.py:program", "--input", "3") == (0, "7\n", "")
    status, _, err = run(capsys, "check", "lost.py")
    assert status == 1
    assert "lost.py:1:1: error: running the file failed: ModuleNotFoundError" in err


def test_no_import_does_not_run_the_file(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "side_effect.py"
    path.write_text(
        "raise SystemExit('it was run')\n\n"
        "class Counter:\n    def __init__(self, n: int):\n        self.n = n\n\n"
        "    def more(self) -> int:\n        self.n += 1\n        return self.n\n\n"
        "def f(n: int) -> int:\n    return Counter(n).more()\n"
    )
    status, out, _ = run(capsys, "run", f"{path}:f", "--no-import", "--input", "2")
    assert (status, out) == (0, "3\n")
    status, _, err = run(capsys, "check", str(path))
    assert status == 1
    assert "side_effect.py:1:1: error: the file exits when it is run (status it was run)" in err


def test_standard_input(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("def f(n: int):\n    return n + 1\n"))
    status, out, _ = run(capsys, "compile", "-")
    assert status == 0
    assert "aten::add(%n.1" in out
    assert "<stdin>:2:11" in out


@pytest.mark.parametrize(
    "arguments",
    [
        ["compile", "no_such_file.py"],
        ["compile", f"{FUNCTIONS}:no_such_function"],
        ["compile", f"{MASKS}:OptionalMask"],
        ["run", MASKS],
        ["frobnicate"],
        ["compile", f"{FUNCTIONS}:collatz", "--emit=optimized", "--passes", "no-such-pass"],
    ],
)
def test_misuse_is_told_in_one_line(
    capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    status, _, err = run(capsys, *arguments)
    assert status == 2
    assert "Traceback" not in err


def test_passes_and_their_flags(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = run(
        capsys, "compile", f"{FUNCTIONS}:collatz", "--emit=optimized",
        "--passes", "inline,dce", "--print-ir-before=dce", "--print-ir-after", "--verify-each",
        "--time-passes", "--print-changed=diff",
    )  # fmt: skip
    assert status == 0
    assert "prim::Loop" in out
    shown = passes_shown(err)
    assert shown[-2:] == ["inline", "dce"]
    assert err.count("IR Dump Before") == shown.count("dce")
    assert err.count("IR Dump") == err.count("(function: collatz) //----- //")
    assert "total" in err


def passes_shown(err: str) -> list[str]:
    return [line.split()[5] for line in err.splitlines() if "IR Dump After" in line]


def test_the_passes_of_a_new_graph_are_shown(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = run(
        capsys, "compile", f"{FUNCTIONS}:collatz", "--print-ir-after", "--verify-each",
        "--time-passes",
    )  # fmt: skip
    assert status == 0
    assert "prim::Loop" in out
    order = passes_shown(err)
    assert order[0] == "to-ssa"
    assert order[-1] == "number-warnings"
    assert "total" in err


def test_the_passes_of_a_plan_are_shown(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = run(
        capsys, "compile", f"{MASKS}:OptionalMask", "--module", "OptionalMask(3, 1)",
        "--emit=optimized", "--input", "torch.ones(2, 3)", "--input", "None",
        "--print-ir-after", "--verify-each", "--time-passes",
    )  # fmt: skip
    assert status == 0
    assert "prim::FusionGroup" in out
    order = passes_shown(err)
    assert order.index("to-ssa") < order.index("specialize")
    assert order.index("specialize") < order.index("inline") < order.index("fuse")
    assert "total" in err


def test_passes_are_run_on_the_graph_of_a_call(capsys: pytest.CaptureFixture[str]) -> None:
    call = ["--input", "torch.ones(2, 3)", "--input", "None"]
    command = [
        "compile",
        f"{MASKS}:OptionalMask",
        "--module",
        "OptionalMask(3, 1)",
        "--emit=optimized",
        "--passes",
    ]
    _, out, _ = run(capsys, *command, "specialize,peephole", *call)
    assert "%mask.1 : NoneType" in out
    assert "prim::FusionGroup" not in out
    _, out, _ = run(capsys, *command, "specialize,optimize,fusion", *call)
    assert "prim::FusionGroup" in out
    _, out, _ = run(capsys, *command, "inline,optimize")
    assert "%mask.1 : Tensor?" in out


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--emit=ir", "--passes=dce"], "--passes is for --emit=optimized and dot, not --emit=ir"),
        (
            ["--emit=cpp", "--passes=dce"],
            "--passes is for --emit=optimized and dot, not --emit=cpp",
        ),
        (["--emit=optimized", "--print-ir-after=dec"], "there is no pass 'dec'"),
        (["--emit=optimized", "--passes=dec"], "there is no pass 'dec'"),
        (["--emit=optimized", "--passes=dec"], ", optimize, "),
        (["--emit=optimized", "--passes=inline,specialize"], "'specialize' is of the plan of a"),
        (["--emit=optimized", "--passes=fusion"], "'infer-metadata' is of the plan of a call"),
        (
            ["--emit=optimized", "--passes=inline,fuse", "--input=5"],
            "'fuse' needs to know of tensors: name 'infer-metadata' before it",
        ),
        (["--emit=python", "--input=5"], "--input is for the plan of a call"),
    ],
)
def test_options_of_passes_that_would_do_nothing_are_refused(
    capsys: pytest.CaptureFixture[str], options: list[str], told: str
) -> None:
    status, out, err = run(capsys, "compile", f"{FUNCTIONS}:collatz", *options)
    assert status == 2
    assert not out
    assert told in err


def test_what_a_program_raises_is_told_at_its_line(capsys: pytest.CaptureFixture[str]) -> None:
    status, _, err = run(capsys, "run", f"{FUNCTIONS}:summarize", "--input", "[]")
    assert status == 1
    assert "functions.py:52:5: error: the program raised" in err
    assert "Traceback" not in err


def test_what_an_operator_raises_has_the_class_that_the_program_knows(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "last.py"
    path.write_text("def last(xs: list[int]) -> int:\n    return xs[-1]\n")
    status, _, err = run(capsys, "run", str(path), "--input", "[]")
    assert status == 1
    assert "the program raised IndexError: list index out of range" in err


def test_a_text_may_raise_pythons_exceptions(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "refuses.py"
    path.write_text("def f(x: int):\n    raise ValueError(str(x))\n")
    assert run(capsys, "check", "--no-import", str(path))[0] == 0
    _, _, err = run(capsys, "run", "--no-import", f"{path}:f", "--input", "7")
    assert "the program raised ValueError: 7" in err


def test_a_file_that_raises_without_a_message(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "raises.py"
    path.write_text("raise MemoryError\n")
    status, _, err = run(capsys, "check", str(path))
    assert status == 1
    assert "running the file failed: MemoryError [TS801]" in err


@pytest.mark.slow
def test_no_colour_where_there_is_no_terminal(tmp_path: Path) -> None:
    path = tmp_path / "faulty.py"
    path.write_text(FAULTY)
    environment = {**os.environ, "NO_COLOR": "1", "FORCE_COLOR": ""}
    done = subprocess.run(
        [sys.executable, "-m", "minits", "check", str(path)],
        env=environment, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 1
    assert "\x1b" not in done.stderr


def test_methods_of_a_text_are_checked_as_functions_are(tmp_path: Path, capsys) -> None:
    """What TorchScript has no statement for is told, and does not end in a traceback."""
    path = tmp_path / "counter.py"
    path.write_text("class Counter:\n    def count(self):\n        global n\n        return 1\n")
    status, _, err = run(capsys, "check", "--no-import", str(path))
    assert status == 1
    assert "global variables aren't supported" in err


def test_named_tuples_of_a_text_may_have_defaults(tmp_path: Path, capsys) -> None:
    path = tmp_path / "pairs.py"
    path.write_text(
        "from typing import NamedTuple\n\n"
        "class Pair(NamedTuple):\n    a: int\n    b: int = 2\n\n"
        "def f(n: int) -> int:\n    return Pair(n).b + Pair(n, 3).b\n"
    )
    for options in ([], ["--no-import"]):
        status, out, _ = run(capsys, "check", str(path), *options)
        assert (status, out.split(": ")[1]) == (0, "1 program, no errors\n")


def test_a_function_of_a_text_may_use_a_class_that_is_further_down(tmp_path: Path, capsys) -> None:
    """The attributes of a class are known where it is named, though no method is compiled yet."""
    path = tmp_path / "further_down.py"
    path.write_text(
        "def f(c: 'Config') -> int:\n    return c.size + Config(2).size\n\n"
        "class Config:\n    def __init__(self, size: int):\n        self.size = size\n"
    )
    assert run(capsys, "check", "--no-import", str(path))[0] == 0
