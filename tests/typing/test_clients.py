"""What type checkers say of a program that uses minits: `client.py`."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

CLIENT = Path(__file__).with_name("client.py")
ROOT = Path(__file__).parents[2]
CHECKERS = {
    "mypy": ["mypy", "--strict", "--python-version", "3.11", "--no-incremental"],
    "pyright": ["pyright", "--pythonpath", sys.executable],
}


def marked_lines() -> set[int]:
    lines = CLIENT.read_text().splitlines()
    return {number for number, line in enumerate(lines, 1) if line.endswith("# error")}


@pytest.mark.slow  # they read the sources of torch
@pytest.mark.parametrize("checker", CHECKERS)
def test_checkers_find_the_mistakes_and_no_others(checker: str, tmp_path: Path) -> None:
    name, *options = CHECKERS[checker]
    pytest.importorskip(name)
    copy = tmp_path / "client.py"
    copy.write_text(CLIENT.read_text())
    done = subprocess.run(
        [sys.executable, "-m", name, *options, str(copy)],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT), "MYPYPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    found = {
        int(line) for line in re.findall(r"client\.py:(\d+)(?::\d+)?(?::| -) error", done.stdout)
    }
    assert found == marked_lines(), done.stdout + done.stderr
