"""Fused kernels under autograd: how the tests make them, and programs to try."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor

from examples import fused as examples
from minits.kernels.gradients import backward_group, training_kernel
from minits.kernels.gradients.autograd import Differentiable, differentiable
from minits.kernels.lowering import Lowered
from tests.kernels.lowered import graph_of, lower_for, run


class Evaluated:
    """Takes the place of a FusedKernel, and computes with numpy."""

    launches = 0

    def __init__(self, lowered: Lowered) -> None:
        self.lowered = lowered
        self.kernel = lowered.kernel

    def __call__(self, *values: Any) -> tuple[Tensor, ...]:
        Evaluated.launches += 1
        values = tuple([v.detach() if isinstance(v, Tensor) else v for v in values])
        return tuple([result.clone() for result in run(self.lowered, values)])

    def bind(self, values: Sequence[Any], single: bool = False) -> Callable[..., Any]:
        return (lambda *values: self(*values)[0]) if single else self

    def bind_summing(self, values: Sequence[Any], sums: object) -> tuple[Any, list[Any]]:
        return self, []


def use(monkeypatch: pytest.MonkeyPatch, kernel: type) -> None:
    monkeypatch.setattr(backward_group, "FusedKernel", kernel)
    monkeypatch.setattr(training_kernel, "FusedKernel", kernel)


def fuse(function: Callable[..., Any], *arguments: Any) -> Differentiable:
    """The function as a kernel for such arguments."""

    def unfused(*values: Any) -> Sequence[Tensor]:
        results = function(*values)
        return results if isinstance(results, tuple) else (results,)

    lowered = lower_for(graph_of(function), arguments)
    kernel: Any = backward_group.FusedKernel(lowered)
    return differentiable(kernel, unfused)


def leaves(*shapes: tuple[int, ...], dtype: torch.dtype = torch.float64) -> list[Tensor]:
    torch.manual_seed(sum(map(len, shapes)))
    return [torch.randn(shape, dtype=dtype, requires_grad=True) for shape in shapes]


def check(function: Callable[..., Any], *arguments: Any, **tolerance: float) -> Differentiable:
    """Compare results and gradients with eager's; the gradients must come from a kernel."""
    fusion = fuse(function, *arguments)
    expected = function(*arguments)
    expected = expected if isinstance(expected, tuple) else (expected,)
    found = fusion(*arguments)
    for mine, theirs in zip(found, expected, strict=True):
        assert mine.requires_grad == theirs.requires_grad
        torch.testing.assert_close(mine, theirs, **tolerance)
    wanted = [x for x in arguments if isinstance(x, Tensor) and x.requires_grad]
    given = [torch.randn_like(result) for result in expected if result.requires_grad]

    def of(results: Sequence[Tensor]) -> Sequence[Tensor]:
        kept = [result for result in results if result.requires_grad]
        return torch.autograd.grad(kept, wanted, given, retain_graph=True)

    launches = Evaluated.launches
    torch.testing.assert_close(of(found), of(expected), **tolerance)
    assert Evaluated.launches == launches + 1
    return fusion


# ---- Programs ----------------------------------------------------------------------------------


def check_gradients_of_gradients(
    function: Callable[..., Any], shapes: Sequence[tuple[int, ...]]
) -> None:
    """Compare first and second derivatives of a group with differences of its results."""
    arguments = leaves(*shapes)
    fusion = fuse(function, *arguments)
    assert torch.autograd.gradcheck(fusion, arguments)
    assert torch.autograd.gradgradcheck(fusion, arguments)


def masked_softmax(scores: Tensor, scale: float, mask: Tensor) -> Tensor:
    return torch.softmax(scores / scale + mask, dim=-1)


def bias_gelu(x: Tensor, bias: Tensor) -> Tensor:
    return F.gelu(x + bias, approximate="tanh")


def layer_norm(x: Tensor, residual: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
    return F.layer_norm(x + residual, [5], weight, bias)


def lstm(gates: Tensor, cell: Tensor) -> tuple[Tensor, Tensor]:
    i, f, g, o = gates.chunk(4, dim=1)
    cell = torch.sigmoid(f) * cell + torch.sigmoid(i) * torch.tanh(g)
    return torch.sigmoid(o) * torch.tanh(cell), cell


def parts(x: Tensor) -> Tensor:
    """Views that overlap, of a tensor that is used as a whole too."""
    return x * x.t() + x[0] * x.select(1, 1).unsqueeze(1) + x.transpose(0, 1)[1:2]


def mean_and_rows(x: Tensor, r: Tensor) -> tuple[Tensor, Tensor]:
    """r: one number for each row, without the dimension that is reduced over."""
    return x.mean(-1) * r, x * x.sum(-1, keepdim=True)


def loss(x: Tensor, target: Tensor) -> Tensor:
    return F.mse_loss(x, target)


def two_of_one(x: Tensor, n: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    y = torch.exp(x) * n
    return y, n + 1, y


PROGRAMS: list[tuple[Callable[..., Any], Callable[[], list[Any]]]] = [
    (examples.chain, lambda: leaves((3, 4), (3, 4), (4,), (3, 1))),
    (bias_gelu, lambda: leaves((2, 3, 4), (4,))),
    (layer_norm, lambda: leaves((2, 3, 5), (2, 3, 5), (5,), (5,))),
    (examples.swiglu, lambda: leaves((3, 4), (3, 4))),
    (lstm, lambda: leaves((3, 8), (3, 2))),
    (examples.gru_pointwise, lambda: leaves((2, 6), (2, 6), (2, 2))),
    (parts, lambda: leaves((4, 4))),
    (mean_and_rows, lambda: leaves((3, 4), (3,))),
    (loss, lambda: leaves((3, 4), (3, 4))),
    (two_of_one, lambda: [*leaves((3, 4)), torch.arange(12).view(3, 4)]),
]
