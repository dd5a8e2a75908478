"""Where eager has a way of its own: roundings of half types, gradients at bounds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor

import minits
from minits.kernels.fused_kernel import FusedKernel
from minits.kernels.gradients.autograd import differentiable
from minits.kernels.lowering import NotFusable
from tests.kernels.lowered import check, graph_of, lower_for, programs, run

HALVES = [torch.float16, torch.bfloat16]
DIVISIONS = [
    "torch.div(x, y, rounding_mode='floor')",
    "torch.div(x, y, rounding_mode='trunc')",
    "torch.div(x, s, rounding_mode='floor')",
    "torch.div(x, s, rounding_mode='trunc')",
    "x // y",
    "x // s",
]


@pytest.fixture(scope="module")
def divisions(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("divisions")
    return programs(folder, "x: Tensor, y: Tensor, s: float", DIVISIONS)


@pytest.mark.parametrize("expression", DIVISIONS)
@pytest.mark.parametrize("dtype", HALVES)
def test_all_halves_are_divided_as_in_eager(
    divisions: dict[str, Any], expression: str, dtype: torch.dtype
) -> None:
    x = torch.arange(1 << 16, dtype=torch.int32).to(torch.int16).view(dtype)
    for divisor in (0.1, -7.3, 1000.0, 6e-8, float("inf"), float("nan"), 0.0, -0.0):
        arguments = [x, torch.full_like(x, divisor), divisor]
        function = divisions[expression]
        (found,) = run(lower_for(graph_of(function), arguments), arguments)
        wanted = function(*arguments)
        torch.testing.assert_close(found, wanted, rtol=0, atol=0, equal_nan=True)
        assert torch.equal(found.signbit() | found.isnan(), wanted.signbit() | wanted.isnan())


def test_divisions_of_halves_have_no_gradients(divisions: dict[str, Any]) -> None:
    x = torch.tensor([3.5, -2.0, 1.0], dtype=torch.bfloat16, requires_grad=True)
    y = torch.tensor([0.5, 3.0, 0.0], dtype=torch.bfloat16, requires_grad=True)
    for expression in DIVISIONS[:2]:
        function = divisions[expression]
        fusion = differentiable(
            FusedKernel(lower_for(graph_of(function), [x, y, 1.0])),
            lambda *given, function=function: (function(*given),),
        )
        (result,) = fusion(x, y, 1.0)
        for gradient in torch.autograd.grad(result.sum(), [x, y]):
            assert torch.equal(gradient, torch.zeros_like(gradient))


def next_above(x: Tensor, y: Tensor) -> Tensor:
    return torch.nextafter(x, y)


@pytest.mark.parametrize("dtype", HALVES)
def test_the_next_of_a_half_is_not_that_of_a_float(dtype: torch.dtype) -> None:
    x = torch.ones(3, dtype=dtype)
    with pytest.raises(NotFusable, match="nextafter"):
        lower_for(graph_of(next_above), [x, x + 1])
    check(next_above, [x.float(), x.float() + 1])


def bounded(x: Tensor) -> Tensor:
    return F.hardtanh(x, -1.0, 2.0) * 3


def clamped(x: Tensor) -> Tensor:
    return torch.clamp(x, -1.0, 2.0) * 3


@pytest.mark.parametrize("function", [bounded, clamped])
def test_gradients_at_the_bounds(function: Any) -> None:
    """That of hardtanh is zero there, that of clamp is not."""
    x = torch.tensor([-1.5, -1.0, 0.0, 2.0, 2.5], requires_grad=True)
    fusion = differentiable(
        FusedKernel(lower_for(graph_of(function), [x])), lambda given: (function(given),)
    )
    (found,) = torch.autograd.grad(fusion(x)[0].sum(), x)
    (wanted,) = torch.autograd.grad(function(x).sum(), x)
    assert torch.equal(found, wanted)


def with_itself(x: Tensor) -> tuple[Tensor, Tensor]:
    return torch.tanh(torch.reciprocal(x)), torch.positive(x)


def test_positive_is_its_argument() -> None:
    x = torch.rand(9)
    assert minits.script(with_itself)(x)[1].data_ptr() == x.data_ptr()


def differences(x: Tensor) -> Tensor:
    first, second = torch.chunk(x, 2, -1)
    return torch.cat([first - second, second * 2 + first], -1)


def test_gradients_of_views_that_lie_at_one_place() -> None:
    """Of an expanded tensor both halves are the same memory, but they have two gradients."""
    gradients = []
    for program in (differences, minits.script(differences)):
        x = torch.rand(3, 1, dtype=torch.float64).expand(3, 4).detach().requires_grad_()
        gradients += torch.autograd.grad((program(x) * torch.arange(4.0)).sum(), x)
    torch.testing.assert_close(gradients[1], gradients[0])


OF_BOOLS = [
    "torch.square(x)", "torch.heaviside(x, y)", "torch.clamp_min(x, y)", "torch.clamp(x, max=y)",
    "torch.isreal(x)", "torch.clamp_min(x, s)", "torch.clamp(x, y, y)", "torch.heaviside(x, y + 1)",
]  # fmt: skip


def test_bools_are_computed_with_as_in_eager(tmp_path: Path) -> None:
    """Squares are integers; of two bounds and of numbers that are bools eager knows none."""
    x, y = torch.tensor([[True, True, False, False], [True, False, True, False]])
    for function in programs(tmp_path, "x: Tensor, y: Tensor, s: bool", OF_BOOLS).values():
        check(function, (x, y, True))
