"""Tensors as graphs print them: those of torch, whatever their magnitudes and signs."""

from __future__ import annotations

import pytest
import torch

from minits.ops.tensor_text import format_tensor


def torchs_text(tensor: torch.Tensor) -> str:
    graph = torch._C.Graph()
    graph.insertConstant(tensor)
    return str(graph).partition("value=")[2].partition("]]()")[0] + "]"


@pytest.mark.parametrize("exponent", range(-5, 7))
@pytest.mark.parametrize("shape", [(2,), (4,), (2, 3), (1, 2, 2)])
def test_floats(shape: tuple[int, ...], exponent: int) -> None:
    torch.manual_seed(exponent)
    for _ in range(10):
        values = torch.randn(shape) * 10.0**exponent
        assert format_tensor(values).split() == torchs_text(values).split()


def test_the_greatest_magnitude_may_be_negative() -> None:
    values = torch.tensor([-0.054, -0.44, 0.072])
    assert format_tensor(values).split() == "-0.0540 -0.4400 0.0720 [ CPUFloatType{3} ]".split()


def test_whole_numbers() -> None:
    values = torch.tensor([-120.0, 3.0, 0.0])
    assert format_tensor(values).split() == torchs_text(values).split()
