"""Help and the version are told without the compiler."""

import subprocess
import sys
from pathlib import Path

import pytest

from minits.cli.main import command_line, main

(COMMANDS,) = [action for action in command_line()._actions if action.dest == "command"]
CODE = """
import sys
from minits.cli.main import main
status = main(sys.argv[1:])
print("imported:", *sorted({"torch", "numpy", "lark", "rich"}.intersection(sys.modules)))
sys.exit(status)
"""


def run(*arguments: str) -> tuple[int, str, str]:
    done = subprocess.run(
        [sys.executable, "-c", CODE, *arguments], capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize("arguments", [["--version"], ["--help"], ["compile", "--help"]])
def test_help_and_version_do_not_import_torch(arguments: list[str]) -> None:
    status, out, _ = run(*arguments)
    assert status == 0
    assert out.endswith("imported:\n")
    assert out.startswith(("minits 0.", "usage: minits"))


def test_misuse_is_told_without_torch() -> None:
    status, out, err = run("frobnicate")
    assert (status, out) == (2, "imported: rich\n")
    assert err.startswith("minits: argument COMMAND")


@pytest.mark.parametrize("command", COMMANDS.choices)
def test_each_command_has_help(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    parser = COMMANDS.choices[command]
    without = [action.dest for action in parser._actions if not action.help]
    assert without in ([], ["target"], ["file"])
    assert parser.format_help().startswith(f"usage: minits {command}")


def test_completion_of_shells(capsys: pytest.CaptureFixture[str], tmp_path) -> None:
    pytest.importorskip("shtab")
    assert main(["--print-completion", "bash"]) == 0
    script = tmp_path / "minits.bash"
    script.write_text(capsys.readouterr().out)
    asked = (
        f"source {script}; COMP_WORDS=(minits compile --em); COMP_CWORD=2; "
        'COMP_LINE="minits compile --em"; _shtab_minits; echo "${COMPREPLY[@]}"'
    )
    done = subprocess.run(["bash", "-c", asked], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["--emit-ir", "--emit"]
    assert main(["--print-completion", "cmd"]) == 2
    assert "knows no shell 'cmd': it knows bash, zsh" in capsys.readouterr().err


def test_completion_says_what_is_missing(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "shtab", None)
    assert main(["--print-completion", "zsh"]) == 2
    assert "pip install 'minits[completion]'" in capsys.readouterr().err


@pytest.mark.slow
def test_the_demo_is_a_minutes_reading() -> None:
    demo = Path(__file__).parents[2] / "examples" / "demo"
    done = subprocess.run([sys.executable, demo], capture_output=True, text=True, check=True)
    lines = done.stdout.splitlines()
    assert 80 < len(lines) < 110
    assert [line[:2] for line in lines if line[:2] in ("1.", "2.", "3.", "4.", "5.", "6.")] == [
        "1.", "2.", "3.", "4.", "5.", "6.",
    ]  # fmt: skip
    for part in ("mask is not None", "refined from Optional[Tensor]", "= prim::If(%8)",
                 "prim::FusionGroup_0", "// masked_softmax.py:45"):  # fmt: skip
        assert part in done.stdout
    error = float(done.stdout.partition("difference to eager is ")[2].split()[0])
    assert error < 1e-6
