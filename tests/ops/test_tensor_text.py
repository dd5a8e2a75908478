"""Tensors as graphs print them: those of torch, whatever their magnitudes and signs."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch
from torch import Tensor

import minits
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


def as_text(x: Tensor) -> str:
    return str(x)


@pytest.mark.parametrize(
    "make",
    [
        lambda: torch.eye(2).to_sparse(),
        lambda: torch.ones(2, 2, 2).to_sparse(1),
        lambda: torch.zeros(0, 2).to_sparse(),
        lambda: torch.sparse_coo_tensor(torch.tensor([[0, 0]]), torch.tensor([1.5, 2.0])),
        lambda: torch.ones(2, dtype=torch.complex64).to_sparse(),
        lambda: torch.quantize_per_tensor(torch.tensor([1.0, 2.5]), 0.1, 0, torch.quint8),
        lambda: torch.quantize_per_tensor(torch.tensor([[1.0, 1e3]]), 0.5, 3, torch.qint32),
        lambda: torch.quantize_per_tensor(torch.tensor(1.5), 0.123456789, 1, torch.qint8),
        lambda: torch.quantize_per_channel(
            torch.ones(2, 2), torch.tensor([0.1, 0.25]).double(), torch.arange(2), 0, torch.qint8
        ),
    ],
)
@pytest.mark.filterwarnings("ignore")
def test_sparse_and_quantized_tensors(make: Callable[[], Tensor]) -> None:
    x, compiled = make(), minits.script(as_text)
    wanted = torch.jit.script(as_text)(x)
    assert [compiled(x), compiled(x)] == [wanted, wanted]


def test_a_tensor_without_data_is_refused_as_by_torch() -> None:
    x = torch.ones(2, device="meta")
    for program in minits.script(as_text), torch.jit.script(as_text):
        with pytest.raises(NotImplementedError, match="no data"):
            program(x)
