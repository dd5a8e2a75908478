"""A process that can open no file any more: calls run, though nothing can be planned or built."""

import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """
import os, resource, torch, minits

def f(x, y):
    return torch.sigmoid(x * y + 1.25) * torch.tanh(x) - y

compiled, x, y = minits.script(f), torch.ones(5, 5), torch.randn(5, 5)

def is_right():
    return torch.allclose(compiled(x, y), f(x, y), atol=1e-5)

for _ in range({calls}):
    assert is_right()
soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (64, hard))
taken = []
try:
    while True:
        taken.append(os.open("/dev/null", 0))
except OSError:
    pass
results = [is_right() for _ in range(4)]
for each in taken:
    os.close(each)
print(results + [is_right() for _ in range(3)], "kernel_0" in str(compiled.plan_report()))
"""


def _printed(calls: int, folder: Path) -> str:
    file = folder / "program.py"
    file.write_text(PROGRAM.format(calls=calls))
    environment = {"PATH": "/usr/bin:/bin", "MINITS_CACHE": str(folder / "cache")}
    environment["PYTHONPATH"] = str(Path(__file__).parents[2])
    ran = subprocess.run(
        [sys.executable, str(file)], capture_output=True, text=True, env=environment
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout.strip()


@pytest.mark.slow
def test_calls_run_as_written_until_files_can_be_opened(tmp_path: Path) -> None:
    for calls in (1, 2):
        folder = tmp_path / str(calls)
        folder.mkdir()
        assert _printed(calls, folder) == f"{[True] * 7} True"
