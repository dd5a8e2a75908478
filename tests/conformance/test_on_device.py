"""Kernels of programs on the CPU that run on a device: here, as C++ in place of one."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch
from torch import Tensor

import minits
from conformance import on_device
from conformance.__main__ import main
from conformance.fuzz.check import Counts
from conformance.fuzz.search import check_program, drawn, random_program
from minits.kernels import fused_kernel
from tests.support.cuda_emulator import emulated

needs_compiler = pytest.mark.skipif(shutil.which("g++") is None, reason="there is no g++")


@pytest.fixture
def texts(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[dict[str, object]]:
    """Let kernels run on a device that is the CPU; the texts of those that were launched."""
    with emulated(monkeypatch, tmp_path) as found:
        monkeypatch.setattr(on_device, "DEVICE", "cpu")
        monkeypatch.setattr(fused_kernel, "_backend", fused_kernel._backend)  # put back afterwards
        on_device.run_kernels_on_device()
        yield found


@pytest.mark.slow
@needs_compiler
@pytest.mark.parametrize("gradients", [False, True], ids=["results", "gradients"])
def test_random_programs(gradients: bool, texts: dict[str, object]) -> None:
    assert on_device.is_on_device()
    total, failures = Counts(), []
    for _, program in drawn(20261127, 0, 8, lambda random: random_program(random, gradients)):
        counts, failure = check_program(program, gradients)
        total += counts
        failures += [failure] if failure else []
    assert not failures, "\n\n".join(failures)
    assert total.kernels > 2 and len(texts) > 2


@needs_compiler
def test_results_are_shared_and_unchanged(texts: dict[str, object]) -> None:
    """As those of a kernel on the CPU are: one tensor that is returned twice, and no view."""

    def twice(x: Tensor) -> tuple[Tensor, Tensor]:
        y = torch.exp(x) * 2
        return y, y.type_as(x)

    x = torch.randn(4, 6).t()
    first, second = minits.script(twice)(x)
    assert len(texts) == 1
    assert first.data_ptr() == second.data_ptr()
    assert first.stride() == x.stride() and first._version == 0 and not first._is_view()


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["fuzz", "--device", "cuda"], "finds no CUDA device"),
        (["fuzz", "--language", "--device", "cuda"], "goes with --kernels"),
        (["run", "--backend", "cuda"], "finds no CUDA device"),
    ],
)
def test_no_device(
    options: list[str],
    told: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    assert main(options) == 2
    assert told in capsys.readouterr().out
