"""Kernels on the CPU: the functions that are built of one, for short rows and for others."""

import pytest
import torch
from torch import Tensor

from minits.kernels.cpu import cpu_kernel
from minits.kernels.cpu.cpu_kernel import CpuKernel
from minits.kernels.fused_kernel import FusedKernel
from tests.kernels.lowered import graph_of, lower_for


def softmax(x: Tensor) -> Tensor:
    return torch.softmax(x * 2, -1)


@pytest.mark.parametrize("most", [1, 2])
def test_functions_are_evicted_and_loaded_again(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cpu_kernel, "MOST_VARIANTS", most)
    short, long = torch.randn(64, 5), torch.randn(64, 100)
    fused = FusedKernel(lower_for(graph_of(softmax), [short]))
    for x in (short, long, short, long):
        torch.testing.assert_close(fused.bind([x])(x)[0], softmax(x))
    (built,) = fused._built.values()
    assert isinstance(built, CpuKernel)
    assert len(built.functions) == most and built.functions.evictions == (3 if most == 1 else 0)
