"""The sweep of the tests' kernels with NVRTC: none gets past it, and none is compiled twice."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import torch

import minits
from minits.cli.main import main
from minits.kernels.cpu.cpu_kernel import CpuKernel
from minits.kernels.cuda.nvrtc import NvrtcError
from tests.support.cuda_sweep import ARCHITECTURES, SWEEP, Sweep


@pytest.fixture
def sweep(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, installed: None) -> Sweep:
    """One of its own, beside that of the session."""
    found = Sweep(tmp_path)
    found.watch(monkeypatch)
    return found


def scaled_tanh(x: torch.Tensor, scale: float) -> torch.Tensor:
    return torch.tanh(x * scale) + x


def test_the_session_has_one(
    pytestconfig: pytest.Config, cuda_sweep: Sweep, installed: None
) -> None:
    assert pytestconfig.stash[SWEEP] is cuda_sweep
    assert CpuKernel.bind.__qualname__ == "Sweep.watch.<locals>.watched"


def test_forward_and_backward_kernels_are_met(sweep: Sweep) -> None:
    x = torch.randn(8, 8, requires_grad=True)
    minits.script(scaled_tanh)(x, 0.5).sum().backward()
    assert len(sweep.waiting) == 2
    forward, backward = sweep.waiting.values()
    assert "= tanh(" in forward and "in1" not in forward
    assert "const float *__restrict__ in1" in backward  # the gradient of the result
    sweep.compile()
    assert sweep.waiting == {}


def test_a_text_is_compiled_once(sweep: Sweep, tmp_path: Path) -> None:
    compiled: list[tuple[str, str]] = []

    def build(text: str, arch: str) -> bytes:
        compiled.append((text, arch))
        return b"\x7fELF"

    sweep.add("int a;  // model.py:1")
    sweep.add("int a;  // model.py:2")
    sweep.compile(build)
    assert [arch for _, arch in compiled] == list(ARCHITECTURES)
    for later in (sweep, Sweep(tmp_path)):
        later.add("int a;")
        later.compile(build)
    assert len(compiled) == 2


def test_a_faulty_text_is_said_and_not_remembered(sweep: Sweep) -> None:
    for _ in range(2):
        sweep.add("int a = missing;")
        with pytest.raises(NvrtcError, match=r'"missing" is undefined[^$]*int a = missing;'):
            sweep.compile()


@pytest.mark.parametrize("example", ["fused.py", "masked_softmax.py"])
def test_what_the_command_prints_is_compiled(
    example: str, cuda_sweep: Sweep, capsys: pytest.CaptureFixture[str]
) -> None:
    """`minits compile --emit=cuda` knows no sizes: its kernels are those for rows of any length."""
    path = Path(__file__).parents[2] / "examples" / example
    assert main(["compile", str(path), "--emit=cuda"]) == 0
    printed = re.sub(r"(?m)^# .*\n", "", capsys.readouterr().out)
    texts = re.split(r"(?m)^(?=#define CHUNK )", printed)[1:]
    assert len(texts) == printed.count("__global__") > 6
    for text in texts:
        cuda_sweep.add(text)
