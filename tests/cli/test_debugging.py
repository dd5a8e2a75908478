"""`minits debug`, `minits run --record`, and pdb in a program that calls compiled functions."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from minits.cli.main import main

EXAMPLES = Path(__file__).parents[2] / "examples"
FUNCTIONS = str(EXAMPLES / "functions.py")


@pytest.fixture
def debug(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):
    """Return what `minits debug` prints for commands, one text for each command."""

    def run(commands: str, *arguments: str) -> list[str]:
        monkeypatch.setattr(sys, "stdin", io.StringIO(commands.replace(";", "\n") + "\n"))
        assert main(["debug", *arguments]) == 0
        return capsys.readouterr().out.split("(minits) ")

    return run


Debug = Callable[..., list[str]]


def test_a_loop_is_stepped_over_both_ways(debug: Debug) -> None:
    begin, _, at_25, where, lines, _, again, value, back, _ = debug(
        "b 25;c;bt;l;watch n;c;p %steps.5;rs;q", f"{FUNCTIONS}:collatz", "--input", "6"
    )
    assert begin == "functions.py:22 in collatz\n    steps = 0\ncall collatz\n  %n.1 = 6\n"
    assert "collatz, trip 0 of the loop at line 23\n    steps += 1\n" in at_25
    assert at_25.endswith("%steps.5 : int = aten::add(%steps.11, %5)\n  %steps.5 = 1\n")
    assert where == "bt\ncollatz at functions.py:25\n  in trip 0 of the loop at line 23\n"
    assert "   25 ->         steps += 1\n   26        return steps\n" in lines
    assert "stopped: n changed" in again and "watch n = 10" in again
    assert value == "p %steps.5\n  %steps.5 = 1\n"
    assert "watch n = 3" in back


def test_an_error_stops_it_at_the_users_line(
    debug: Debug, capsys: pytest.CaptureFixture[str]
) -> None:
    found = debug("c;info", f"{FUNCTIONS}:summarize", "--input", "[]")
    assert "functions.py:52 in summarize, block1 of prim::If at line 52\n" in found[1]
    assert "prim::RaiseException" in found[1] and "raises AssertionError: no values" in found[1]
    assert "raised AssertionError: no values\n" in found[2]


@pytest.mark.parametrize(
    ("target", "inputs"),
    [
        ("masked_softmax.py:optional", ["torch.randn(2, 8)", "torch.zeros(8)"]),
        ("masked_softmax.py:optional", ["torch.randn(2, 8)"]),
        ("fused.py:lstm", ["torch.randn(3, 2, 8)", "(torch.zeros(2, 16), torch.zeros(2, 16))"]),
        ("fused.py:block", ["torch.randn(1, 4, 32)"]),
        ("elements.py:time_warping", ["torch.randn(3)", "torch.randn(4)"]),
        ("functions.py:count_words", ["'a b a'"]),
    ],
)
def test_examples_are_recorded_and_played(
    debug: Debug,
    target: str,
    inputs: list[str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = tmp_path / "F.json"
    given = [word for text in inputs for word in ("--input", text)]
    assert main(["run", str(EXAMPLES / target), *given, "--record", str(path)]) == 0
    recording = json.loads(path.read_text())
    assert recording["error"] is None and not recording["cut"]
    printed = capsys.readouterr().out
    if recording["result"]["type"] == "dict":
        assert printed == f"{recording['result']['text']}\n"
    played = debug("c;n;rc;info", str(path))
    assert f"the program returned {recording['result']['text']}" in played[1]
    assert played[2].startswith("n\nthis is the end of the run\n")
    assert f"step 1 of {len(recording['steps'])} steps" in played[4]


def test_unknown_commands_and_values(debug: Debug) -> None:
    found = debug(
        "frob;b 999;p;p nothing;help;help rc;help frob;delete;b", f"{FUNCTIONS}:collatz",
        "--input", "1",
    )  # fmt: skip
    assert found[1] == "frob\nthere is no command 'frob': help lists them\n"
    assert found[2] == "b 999\nno operation that ran is at 999, and no value is called so\n"
    assert "has no value here" in found[3] and "has no value here" in found[4]
    assert found[5].count("\n") > 12 and "rs, reverse-step" in found[5]
    assert found[6] == "help rc\nrc, reverse-continue: the same backwards\n"
    assert found[7] == "help frob\nthere is no command 'frob'\n"
    assert found[9] == "b\nbreakpoints: none\n"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["debug", "no.json"], "cannot read no.json"),
        (["debug", "bad.json"], "bad.json is no recording: its format"),
        (["debug", "text.json"], "text.json is no recording"),
        (["debug", "empty.json"], "empty.json is no recording: sources is no list of objects"),
        (["debug", "old.json"], "'minits recording 1', not 'minits recording 2': record the run"),
        (["debug", "deep.json"], "deep.json is no recording"),
        (["debug", "bytes.json"], "bytes.json is no recording"),
        (["debug", "bad.json", "--input", "1"], "a recording has its inputs"),
        (["debug", FUNCTIONS], "name what to run"),
        (["debug", f"{FUNCTIONS}:collatz"], "TS804"),
        (["run", f"{FUNCTIONS}:collatz", "--input", "1", "--record", "no/F.json"], "cannot write"),
        (["run", f"{FUNCTIONS}:collatz", "--record", "F.json", "--stats"], "do not fit"),
    ],
)
def test_misuse(
    arguments: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    Path("bad.json").write_text("{}")
    Path("text.json").write_text("{")
    Path("empty.json").write_text('{"format": "minits recording 2"}')
    Path("old.json").write_text('{"format": "minits recording 1"}')
    Path("deep.json").write_text("[" * 200_000)
    Path("bytes.json").write_bytes(b"\xff\x00")
    assert main(arguments) == (1 if said == "TS804" else 2)
    assert said in capsys.readouterr().err


def test_a_failing_run_is_written_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "F.json"
    target = f"{FUNCTIONS}:summarize"
    assert main(["run", target, "--input", "[]", "--record", str(path)]) == 1
    assert "functions.py:52:5: error: the program raised AssertionError" in capsys.readouterr().err
    assert json.loads(path.read_text())["error"] == "AssertionError: no values"


PROGRAM = """\
import minits


@minits.script
def power(x: float, n: int) -> float:
    result = 1.0
    for _ in range(n):
        result = result * x
    return result


for _ in range(3):
    print(power(2.0, 2))
"""


@pytest.mark.slow
def test_pdb_stops_on_the_lines_of_the_program(tmp_path: Path) -> None:
    """In the first call, which has no plan, and in the later ones."""
    path = tmp_path / "prog.py"
    path.write_text(PROGRAM)
    done = subprocess.run(
        [sys.executable, "-m", "pdb", str(path)],
        input="b 8\nc\np x\nn\nn\nc\nc\nc\np n\nq\n", capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONPATH": str(EXAMPLES.parent)},
    )  # fmt: skip
    stops = [line for line in done.stdout.splitlines() if line.endswith("power()")]
    assert [int(stop.partition(".py(")[2].partition(")")[0]) for stop in stops] == [
        8,
        7,
        8,
        8,
        8,
        8,
    ]
    assert "-> result = result * x" in done.stdout
