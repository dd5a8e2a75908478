"""Sums over leading dimensions: as torch's, and as exact."""

import pytest
import torch
from torch import Tensor

import minits
from minits.kernels.gradients.column_sums import MOST_ELEMENTS, column_sums


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.bfloat16])
@pytest.mark.parametrize(
    ("shape", "leading"),
    [((3, 4), 1), ((2, 3, 5), 2), ((65, 257), 1), ((2, 70, 3, 5), 2), ((7,), 1), ((0, 4), 1),
     ((4, 0), 1), ((MOST_ELEMENTS, 2), 1)],
)  # fmt: skip
def test_sums_are_torchs(shape: tuple[int, ...], leading: int, dtype: torch.dtype) -> None:
    x = torch.randn(shape, dtype=dtype)
    expected = x.sum(tuple(range(leading)))
    torch.testing.assert_close(column_sums(shape, leading)(x), expected)


def test_strided_tensors_are_summed() -> None:
    x = torch.randn(5, 6).t()
    torch.testing.assert_close(column_sums((6, 5), 1)(x), x.sum(0))
    expanded = torch.ones(1, 3).expand(4, 3)
    assert column_sums((4, 3), 1)(expanded).tolist() == [4.0, 4.0, 4.0]


def test_many_small_numbers_are_not_lost() -> None:
    x = torch.full((MOST_ELEMENTS, 1), 0.1)
    exact = x.double().sum(0)
    mine = (column_sums(tuple(x.shape), 1)(x) - exact).abs()
    assert float(mine / exact) < 2e-6


def test_infinities_and_nan_are_passed_on() -> None:
    x = torch.tensor([[float("inf"), float("nan"), 1.0], [-1.0, 2.0, float("-inf")]])
    found = column_sums((2, 3), 1)(x)
    torch.testing.assert_close(found, x.sum(0), equal_nan=True)


def test_gradients_of_no_columns() -> None:
    def program(x: Tensor, bias: Tensor) -> Tensor:
        return torch.tanh(x + bias) * x

    scripted = minits.script(program)
    for rows, columns in ((1, 4), (1, 0), (3, 0), (0, 4), (0, 0)):
        inputs = (
            torch.randn(rows, columns, requires_grad=True),
            torch.randn(columns, requires_grad=True),
        )
        torch.testing.assert_close(
            torch.autograd.grad(scripted(*inputs).sum(), inputs),
            torch.autograd.grad(program(*inputs).sum(), inputs),
        )
