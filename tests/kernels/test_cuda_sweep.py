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
from tests.support.cuda_sweep import ARCHITECTURES, PTX, SWEEP, Sweep, joined, quick_cubin


@pytest.fixture
def sweep(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, installed: None) -> Sweep:
    """One of its own, beside that of the session."""
    found = Sweep(tmp_path)
    found.watch(monkeypatch)
    return found


class Noted:
    """Compiles nothing, and notes the architectures."""

    def __init__(self) -> None:
        self.architectures: list[str] = []

    def __call__(self, text: str, arch: str) -> bytes:
        self.architectures.append(arch)
        return b"\x7fELF"


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
    forward, backward = (each.text for each in sweep.waiting.values())
    assert "= tanh(" in forward and "in1" not in forward
    assert "const float *__restrict__ in1" in backward  # the gradient of the result
    sweep.compile()
    assert sweep.waiting == {}


def test_a_text_is_compiled_once(tmp_path: Path, installed: None) -> None:
    build = Noted()
    sweep = Sweep(tmp_path, is_whole=True)
    sweep.add("int a;  // model.py:1")
    sweep.add("int a;  // model.py:2")
    sweep.compile(build)
    assert build.architectures == [PTX, *ARCHITECTURES]
    for later in (sweep, Sweep(tmp_path, is_whole=True)):
        later.add("int a;")
        later.compile(build)
    assert len(build.architectures) == 3


def test_what_another_worker_has_compiled_is_not_compiled(tmp_path: Path, installed: None) -> None:
    build = Noted()
    workers = [Sweep(tmp_path), Sweep(tmp_path)]
    for sweep in workers:
        sweep.add("int a;")
    for sweep in workers:
        sweep.compile(build)
    assert build.architectures.count(PTX) == 1


def test_a_few_become_machine_code(tmp_path: Path, installed: None) -> None:
    build = Noted()
    sweep = Sweep(tmp_path)
    for number in range(160):
        sweep.add(f"int a{number};")
    sweep.compile(build)
    together, *alone = build.architectures
    assert together == PTX
    assert 2 <= len(alone) <= 40
    assert alone == [*ARCHITECTURES] * (len(alone) // 2)


def test_a_faulty_text_is_said_and_not_remembered(sweep: Sweep) -> None:
    sweep.test = "test_of_kernels"
    for _ in range(2):
        sweep.add("int a = missing;")
        told = r'"missing" is undefined[^$]*of test_of_kernels, in\nint a = missing;'
        with pytest.raises(NvrtcError, match=told):
            sweep.compile()


def test_the_others_are_remembered(sweep: Sweep) -> None:
    taken = ["__device__ int a;", "__device__ int b;"]
    for text in (taken[0], "int a = missing;", taken[1]):
        sweep.add(text)
    with pytest.raises(NvrtcError, match="in\nint a = missing;"):
        sweep.compile()
    for text in taken:
        sweep.add(text)
    assert sweep.waiting == {}


def test_texts_that_cannot_be_joined_are_compiled_alone(sweep: Sweep) -> None:
    sweep.add("__device__ int f;\n__device__ int g() { return ::f; }")
    sweep.add("__device__ int h;")
    with pytest.raises(NvrtcError):
        quick_cubin(joined(each.text for each in sweep.waiting.values()), PTX)
    sweep.compile()


def test_what_is_joined_has_every_kernel(installed: None) -> None:
    text = joined(["#define N 1\n__global__ void kernel() {}", "__device__ int N;"])
    assert text.count("namespace") == 2
    quick_cubin(text, PTX)


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
