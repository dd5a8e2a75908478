"""Where `minits build` reports what is not native."""

from pathlib import Path

import pytest

from minits.cli.main import main

PROGRAM = """\
import torch
from torch import Tensor

def f(x: Tensor) -> Tensor:
    y = x + 1
    return torch.nn.functional.rrelu(y, training=True)
"""


def test_an_operator_of_torch_s_file_is_told_at_the_program_s_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "drawing.py"
    path.write_text(PROGRAM)
    assert main(["build", f"{path}:f", "-o", str(tmp_path / "out"), "--no-compile"]) == 1
    told = capsys.readouterr().err
    assert "drawing.py:6:12: error: aten::rrelu" in told
    assert "it is in torch/nn/functional.py:" in told
