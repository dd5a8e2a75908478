"""A launch whose check fails is run operator by operator, which raises what eager raises."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch import Tensor

import minits
from minits.kernels.fused_kernel import CheckFailed, FusedKernel
from tests.kernels.lowered import graph_of, lower_for

INTEGERS = [torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8]
SHAPES = [(7,), (33, 5), (4, 40), (2, 9000), (0, 3)]
"""Of rows side by side, and of those that are walked over one by one."""


def quotients(x: Tensor, y: Tensor):
    return torch.floor_divide(x + 1, y) * 2 + torch.div(x, y, rounding_mode="trunc")


def rests(x: Tensor, y: Tensor):
    return (x + 1) % y + torch.fmod(x, y)


def summed(x: Tensor, y: Tensor):
    return torch.remainder(x, y).sum(-1) + 1


def by_number(x: Tensor, n: int):
    return (x + 1) % n + torch.floor_divide(x, n)


def operands(shape: tuple[int, ...], dtype: torch.dtype) -> tuple[Tensor, Tensor]:
    generator = torch.Generator().manual_seed(0)
    low = 0 if dtype == torch.uint8 else -100
    x = torch.randint(low, 100, shape, generator=generator).to(dtype)
    return x, torch.randint(1, 20, shape, generator=generator).to(dtype)


@pytest.mark.one_in(4, over="function")
@pytest.mark.parametrize("function", [quotients, rests, summed])
@pytest.mark.parametrize("dtype", INTEGERS)
def test_integers_are_divided(function: Any, dtype: torch.dtype) -> None:
    script = minits.script(function)
    for shape in SHAPES:
        x, y = operands(shape, dtype)
        assert all(remark.kind == "passed" for remark in script.remarks(x, y))
        torch.testing.assert_close(script(x, y), function(x, y), rtol=0, atol=0)


@pytest.mark.parametrize("function", [quotients, rests, summed])
@pytest.mark.parametrize("shape", SHAPES[:-1])
def test_division_by_zero_raises_and_leaves_the_next_call_alone(
    function: Any, shape: tuple[int, ...]
) -> None:
    script = minits.script(function)
    x, y = operands(shape, torch.int64)
    wrong = y.clone()
    wrong.view(-1)[-1] = 0
    for divisor in (y, wrong, y, wrong, wrong, y):
        if divisor is y:
            torch.testing.assert_close(script(x, y), function(x, y), rtol=0, atol=0)
        else:
            with pytest.raises(RuntimeError, match="ZeroDivisionError"):
                script(x, divisor)


def test_numbers_are_checked() -> None:
    script = minits.script(by_number)
    x, _ = operands((4, 40), torch.int64)
    torch.testing.assert_close(script(x, 3), by_number(x, 3), rtol=0, atol=0)
    with pytest.raises(RuntimeError, match="ZeroDivisionError"):
        script(x, 0)
    torch.testing.assert_close(script(x[:0], 0), by_number(x[:0], 0))
    torch.testing.assert_close(script(x, -7), by_number(x, -7), rtol=0, atol=0)


def test_a_launch_says_that_its_check_failed() -> None:
    x, y = operands((4, 40), torch.int64)
    kernel = FusedKernel(lower_for(graph_of(rests), [x, y]))
    kernel(x, y)
    with pytest.raises(CheckFailed):
        kernel(x, torch.zeros_like(y))


def test_only_kernels_with_checks_count_failures() -> None:
    x, y = operands((4, 40), torch.float32)
    for tensors, is_checked in (((x, y), False), ((x.long(), y.long()), True)):
        kernel = FusedKernel(lower_for(graph_of(rests), tensors))
        kernel(*tensors)
        assert ("failed |=" in kernel.texts[0]) == is_checked
