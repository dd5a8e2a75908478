"""Help and the version are told without the compiler."""

import subprocess
import sys

import pytest

from minits.cli.main import command_line

(COMMANDS,) = [action for action in command_line()._actions if action.dest == "command"]
CODE = """
import sys
from minits.cli.main import main
status = main(sys.argv[1:])
print("imported:", *sorted({"torch", "numpy", "lark"}.intersection(sys.modules)))
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
    assert (status, out) == (2, "imported:\n")
    assert err.startswith("minits: argument COMMAND")


@pytest.mark.parametrize("command", COMMANDS.choices)
def test_each_command_has_help(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    parser = COMMANDS.choices[command]
    without = [action.dest for action in parser._actions if not action.help]
    assert without in ([], ["target"], ["file"])
    assert parser.format_help().startswith(f"usage: minits {command}")
