"""Gradients of what is the same along some of the reduced dimensions: a kernel of their own."""

from __future__ import annotations

from typing import Any

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor

import minits
from minits.kernels.gradients.backward_group import BackwardGroup
from minits.kernels.ir.kernel import Level
from tests.kernels.lowered import graph_of, lower_for


def grouped(x: Tensor, w: Tensor, b: Tensor) -> Tensor:
    return F.silu(F.group_norm(x, 2, w, b))


def one_group(x: Tensor, w: Tensor, b: Tensor) -> Tensor:
    return F.group_norm(x, 1, w, b) * x


def scaled(x: Tensor, w: Tensor, b: Tensor) -> Tensor:
    return (x * w[:, None] + b[:, None]).exp().sum((1, 2))


def other_levels(x: Tensor, w: Tensor, b: Tensor) -> Tensor:
    y = x * w[:, None, None] * b
    return y / (y * y).sum((1, 2, 3), keepdim=True).sqrt()


def arguments(program: Any, dtype: torch.dtype = torch.float64) -> list[Tensor]:
    if program is other_levels:
        tensors = [torch.rand(2, 6, 3, 4), torch.rand(6), torch.rand(3, 1)]
    else:
        tensors = [torch.rand(3, 6, 5), torch.rand(6), torch.rand(6)]
    return [(each + 0.5).to(dtype).requires_grad_() for each in tensors]


def group_of(program: Any, inputs: list[Tensor]) -> BackwardGroup:
    lowered = lower_for(graph_of(program), inputs)
    return BackwardGroup(lowered, [True] * len(lowered.sources), [True])


@pytest.mark.parametrize(
    ("program", "length", "reduced", "handed"),
    [(grouped, 1, 2, 2), (one_group, 1, 2, 2), (scaled, 1, 2, 0), (other_levels, 2, 3, 2)],
)
def test_a_second_kernel(program: Any, length: int, reduced: int, handed: int) -> None:
    found = group_of(program, arguments(program))._partial
    assert found is not None
    assert found.lowered.reduced == length < reduced
    assert [value.level for value in found.handed] == [Level.ROW] * handed
    assert all(value.op == "sum" for value in found.lowered.kernel.values if value.is_reduction)


def test_none_where_weights_lie_along_the_rows() -> None:
    def program(x: Tensor, w: Tensor) -> Tensor:
        return F.layer_norm(x, (5,), w) * 2

    assert group_of(program, [torch.randn(3, 5), torch.randn(5)])._partial is None


@pytest.mark.one_in(4)
@pytest.mark.parametrize("program", [grouped, one_group, scaled, other_levels])
def test_gradients(program: Any) -> None:
    scripted = minits.script(program)
    for needs in [
        (True, True, True),
        (False, True, True),
        (True, False, True),
        (False, True, False),
    ]:
        inputs = arguments(program)
        for each, need in zip(inputs, needs, strict=True):
            each.requires_grad_(need)
        wanted = [each for each in inputs if each.requires_grad]
        mine, eager = scripted(*inputs), program(*inputs)
        given = torch.randn_like(eager)
        torch.testing.assert_close(
            torch.autograd.grad(mine, wanted, given), torch.autograd.grad(eager, wanted, given)
        )
        assert type(mine.grad_fn).__name__ == "_FusedBackward"
    assert torch.autograd.gradcheck(scripted, arguments(program))


@pytest.mark.slow
@pytest.mark.parametrize("program", [grouped, one_group, scaled])
@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_half_types_are_summed_in_float32(program: Any, dtype: torch.dtype) -> None:
    torch.manual_seed(3)
    inputs = arguments(program, dtype)
    exact = [each.detach().double().requires_grad_() for each in inputs]
    mine = torch.autograd.grad(minits.script(program)(*inputs).sum(), inputs[1:])
    eager = torch.autograd.grad(program(*exact).sum(), exact[1:])
    limit = 8 * torch.finfo(dtype).eps
    for one, other in zip(mine, eager, strict=True):
        assert one.dtype == dtype
        torch.testing.assert_close(
            one.double(), other, rtol=0, atol=limit * max(other.abs().max().item(), 3.0)
        )
