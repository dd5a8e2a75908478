"""Overloaded functions that torch.jit has compiled before in the same process."""

import subprocess
import sys
from pathlib import Path

PROGRAM = """\
import torch
import torch.nn.functional as F
from torch import Tensor

@torch.jit._overload
def scaled(x: Tensor, by: int) -> Tensor:
    pass

@torch.jit._overload  # noqa: F811
def scaled(x: Tensor, by: float) -> Tensor:
    pass

def scaled(x, by):  # noqa: F811
    return x * by

def f(x: Tensor) -> Tensor:
    wide = F.interpolate(x.view(1, 1, -1), scale_factor=2.0)
    return scaled(wide, 2) + scaled(wide, 0.5)

expected = torch.jit.script(f)
import minits

found = minits.script(f)
assert str(found.graph) == str(expected.graph), found.graph
x = torch.ones(3)
for _ in range(3):
    assert torch.equal(found(x), expected(x))
"""


def test_what_torch_has_taken_is_read_from_the_file(tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    path.write_text(PROGRAM, "utf-8")
    command = [sys.executable, "-W", "ignore", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=Path.cwd())
    assert done.returncode == 0, done.stderr
