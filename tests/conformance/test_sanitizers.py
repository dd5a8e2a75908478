"""Cases as C under gcc's sanitizers, each run in a process that starts with them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from minits.kernels.cpu.c_build import NoCompiler, compiler

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
def test_a_case_under_sanitizers() -> None:
    try:
        found = subprocess.run(
            [compiler()[0], "-print-file-name=libasan.so"], capture_output=True, text=True
        )
    except NoCompiler as reason:
        pytest.skip(str(reason))
    if not Path(found.stdout.strip()).is_absolute():
        pytest.skip("this compiler has no sanitizers")
    command = [sys.executable, "-m", "conformance", "run", "--backend", "native", "--sanitize"]
    done = subprocess.run(
        [*command, "--case", "tensors/concatenation_and_splitting", "--jobs", "1"],
        cwd=ROOT, env=os.environ, capture_output=True, text=True,
    )  # fmt: skip
    assert "1 of 1 programs ran as C" in done.stdout, done.stdout + done.stderr
    assert done.returncode == 0, done.stdout + done.stderr
