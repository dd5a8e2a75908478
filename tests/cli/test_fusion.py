"""`minits compile` with kernels and remarks, and `minits run --stats`."""

from __future__ import annotations

from pathlib import Path

import pytest

from minits.cli.main import main

ROOT = Path(__file__).parents[2]
MASKS = str(ROOT / "examples" / "masked_softmax.py")

PROGRAMS = """
import torch
from torch import Tensor
from typing import List, Optional

def fused(x: Tensor, y: Optional[Tensor] = None) -> Tensor:
    z = torch.tanh(x) * 2
    if y is not None:
        z = z + y
    return z

def blocked(x: Tensor, w: Tensor) -> Tensor:
    return torch.relu(torch.mm(x, w) + 1)

def of_a_list(xs: List[Tensor]) -> Tensor:
    return xs[0] + 1

example_inputs = {"blocked": (torch.randn(2, 3), torch.randn(3, 4))}
"""


@pytest.fixture
def programs(tmp_path: Path) -> str:
    path = tmp_path / "programs.py"
    path.write_text(PROGRAMS)
    return str(path)


@pytest.mark.parametrize(
    ("language", "mark"),
    [("cuda", "__global__"), ("cpp", "\nint kernel_0("), ("loops", "kernel_0 on a GPU:")],
)
def test_the_masked_softmax_is_one_kernel_a_variant(
    capsys: pytest.CaptureFixture[str], language: str, mark: str
) -> None:
    assert main(["compile", MASKS, "--remarks=missed", f"--emit={language}"]) == 0
    out, err = capsys.readouterr()
    titles = [line for line in out.splitlines() if line.startswith("# ")]
    assert titles == [
        "# untyped.forward",
        "# optional.forward (mask is None)",
        "# optional.forward (mask is given)",
        "# unmasked.forward (mask is None)",
        "# unmasked.forward (mask is given)",
        "# asserted.forward (mask is given)",
        "# empty.forward",
    ]
    assert out.count(mark) == len(titles)
    assert "missed" not in err
    assert "note: asserted.forward (mask is None): always raises" in err
    assert "masked_softmax.py:29" in out  # statements tell where they come from


def test_remarks_of_both_kinds(capsys: pytest.CaptureFixture[str], programs: str) -> None:
    assert main(["compile", programs, "--remarks"]) == 0
    out, err = capsys.readouterr()
    assert "aten::tanh is in kernel 0 [fused]" in err
    assert "aten::mm" in err and "[not-elementwise]" in err
    assert "of_a_list: nothing is known of xs" in err
    assert "graph(" in out
    assert main(["compile", f"{programs}:blocked", "--remarks=passed"]) == 0
    assert "not-elementwise" not in capsys.readouterr().err


def test_input_is_asked_for_where_likely_arguments_do_not_fit(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "sized.py"
    file.write_text(
        "import torch\nfrom torch import Tensor\n\n"
        "def sized(x: Tensor):\n    y = x + torch.ones(3)\n    return (y * 2 + 1).relu()\n"
    )
    cure = "help: give the arguments of a call, such as --input"
    assert main(["compile", str(file), "--remarks=missed"]) == 0
    err = capsys.readouterr().err
    assert err.count("unknown-type") == err.count("[shape]") == 1 and err.count(cure) == 2
    assert main(["compile", str(file), "--remarks=missed", "--input=torch.ones(3)"]) == 0
    assert cure not in capsys.readouterr().err
    for line in (5, 6):
        assert main(["explain", f"{file}:{line}"]) == 0
        assert capsys.readouterr().out.count(cure) == 1
        assert main(["explain", f"{file}:{line}", "--input=torch.ones(3)"]) == 0
        assert cure not in capsys.readouterr().out


def test_kinds_of_remarks_are_checked(capsys: pytest.CaptureFixture[str], programs: str) -> None:
    assert main(["compile", programs, "--remarks=all"]) == 2
    assert "--remarks takes passed, missed, analysis, not 'all'" in capsys.readouterr().err


def test_remarks_as_yaml(tmp_path: Path, programs: str) -> None:
    output = tmp_path / "remarks.yaml"
    assert main(["compile", f"{programs}:blocked", f"--remarks-output={output}"]) == 0
    text = output.read_text()
    assert "--- !Missed" in text and "--- !Passed" in text
    assert 'Name: "not-elementwise"' in text


def test_remarks_that_cannot_be_written(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, programs: str
) -> None:
    assert main(["compile", programs, "--remarks-output", str(tmp_path / "no" / "f.yaml")]) == 2
    assert "cannot write" in capsys.readouterr().err


def test_kernels_for_given_inputs(capsys: pytest.CaptureFixture[str], programs: str) -> None:
    arguments = ["--input", "torch.randn(2, 3, dtype=torch.float64)"]
    assert main(["compile", f"{programs}:fused", "--emit=cpp", *arguments]) == 0
    assert "double" in capsys.readouterr().out
    assert main(["compile", f"{programs}:fused", "--emit=cpp", "--input", "3"]) == 1
    assert "TS804" in capsys.readouterr().err


def test_stats(capsys: pytest.CaptureFixture[str], programs: str) -> None:
    assert main(["run", f"{programs}:fused", "--stats", "--input", "torch.ones(2)"]) == 0
    err = capsys.readouterr().err
    assert "y is None, x float32[*] cpu: built in" in err
    assert "hits 0, misses 1, evictions 0" in err


# ---- Libraries ---------------------------------------------------------------------------------


OF_LIBRARIES = """
import torch
from torch import Tensor, nn
from torch.nn import functional as F

class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.attention = nn.MultiheadAttention(16, 4)

    def forward(self, x: Tensor) -> Tensor:
        y, _ = self.attention(x, x, x)
        return y

def linear(x: Tensor, w: Tensor) -> Tensor:
    return F.group_norm(x, 2)

attention = Attention()
example_inputs = {"attention": (torch.randn(5, 3, 16),)}
"""


def test_operators_of_a_library_are_told_at_the_line_of_the_program(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "libraries.py"
    path.write_text(OF_LIBRARIES)
    assert main(["compile", f"{path}:attention", "--remarks=missed"]) == 0
    err = capsys.readouterr().err
    places = [line for line in err.splitlines() if ": missed: " in line]
    assert len(places) == 1 and places[0].startswith(f"{path}:12:16: missed: 1")
    assert "operators of torch/nn/modules/activation.py that this line runs" in places[0]
    assert err.count("note: aten::linear is not computed by kernels") == 1
    assert main(["compile", f"{path}:linear", "--remarks=passed"]) == 0
    err = capsys.readouterr().err
    assert f"{path}:16:12: passed" in err.replace("missed", "passed")
    assert "note: it is in torch/nn/functional.py:" in err


def test_the_place_in_a_library_is_in_the_yaml(tmp_path: Path) -> None:
    path = tmp_path / "libraries.py"
    path.write_text(OF_LIBRARIES)
    output = tmp_path / "remarks.yaml"
    assert main(["compile", f"{path}:linear", f"--remarks-output={output}"]) == 0
    text = output.read_text()
    assert "Line: 16, Column: 12" in text
    assert '  - Inside: "torch/nn/functional.py:' in text
