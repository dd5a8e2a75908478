"""Gradients where operands are NaN, infinite, zero, tiny or huge: one of eager's two loops agrees.

Eager has a loop with vectors and one for the elements that are left over. At NaN some derivatives
are not the same in both, so each operand is tried alone, and as 32 equal ones.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import pytest
import torch
from torch import Tensor

import minits
from conformance.fuzz.search import CHEAP_FLAGS
from tests.kernels.lowered import programs

NUMBERS = [
    float("nan"), float("inf"), -float("inf"), 0.0, -0.0, 1e-40, -1e-40, 1e38, -1e38, 1e-8, 88.5,
    -88.5, 0.5, -0.5, 1.0, -1.0, 3.0, -3.0, 6.0, -2.5, 1e-160, 1e160,
]  # fmt: skip
ONE = [
    *[f"torch.{name}(x)" for name in (
        "abs neg square relu exp expm1 log log1p sqrt rsqrt reciprocal sin tan asin acosh atanh "
        "tanh sigmoid erf lgamma digamma sinc nan_to_num special.entr special.i1 special.i1e "
        "special.erfcx special.log_ndtr logit").split()],
    *[f"F.{name}(x)" for name in (
        "silu mish elu selu celu relu6 hardtanh hardswish hardsigmoid leaky_relu softplus "
        "softshrink hardshrink logsigmoid").split()],
    *[f"x ** {exponent}" for exponent in (2, 3, -1, 0.5, -0.5, 1.5, 0, -2, 2.5)],
    *[f"torch.pow({base}, x)" for base in (2, 0.5, -2, 0)],
    "F.celu(x, float('inf'))", "F.celu(x, -2.0)", "F.elu(x, 1.5)", "F.elu(x, float('nan'))",
    "F.hardshrink(x, float('nan'))", "torch.polygamma(1, x)", "torch.clamp(x, -1, 1)",
    "torch.polygamma(2, x)", "torch.frexp(x)[0]",
    "torch.logit(x, 0.01)", "torch.xlogy(x, 2.0)", "torch.xlogy(2.0, x)", "torch.xlogy(0.0, x)",
]  # fmt: skip
TWO = [
    *[f"torch.{name}(x, y)" for name in (
        "mul div maximum fmin atan2 hypot remainder fmod pow logaddexp xlogy special.xlog1py "
        "copysign").split()],
    "torch.where(x > y, x, y)", "torch.clamp(x, max=y)", "torch.lerp(x, y, 0.3)",
    "torch.addcmul(x, y, x)", "torch.addcdiv(x, x, y, value=0.5)",
    "F.smooth_l1_loss(x, y, reduction='none')", "F.huber_loss(x, y, reduction='none')",
    "F.smooth_l1_loss(x, y, reduction='none', beta=float('inf'))",
    "F.huber_loss(x, y, reduction='none', delta=float('inf'))",
    "torch.clamp(torch.special.xlog1py(x, y), -1.5, 0.5)",
    "F.kl_div(x, y, reduction='none')", "F.mse_loss(x, y, reduction='none')",
]  # fmt: skip
AT_ONCE = 8
"""Expressions in a program: each program has two kernels."""


@pytest.fixture(autouse=True)
def quickly_built(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MINITS_CFLAGS", CHEAP_FLAGS)


@pytest.fixture(scope="module")
def single(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("single")
    one = programs(folder, "x: Tensor", ONE)
    return {**one, **programs(folder, "x: Tensor, y: Tensor", TWO)}


@pytest.mark.one_in(5)
@pytest.mark.parametrize("begin", range(0, len(ONE), AT_ONCE))
def test_of_one_operand(begin: int, single: dict[str, Any], tmp_path: Any) -> None:
    operand = torch.tensor(NUMBERS, dtype=torch.float64)
    check(ONE[begin : begin + AT_ONCE], "x", [operand], single, tmp_path)


@pytest.mark.one_in(4)
@pytest.mark.parametrize("begin", range(0, len(TWO), AT_ONCE))
def test_of_two_operands(begin: int, single: dict[str, Any], tmp_path: Any) -> None:
    numbers = torch.tensor(NUMBERS, dtype=torch.float64)[:14]
    operands = [numbers.repeat_interleave(14), numbers.repeat(14)]
    check(TWO[begin : begin + AT_ONCE], "xy", operands, single, tmp_path)


def check(
    expressions: list[str], names: str, operands: list[Tensor], single: Any, folder: Any
) -> None:
    """Compare the gradients of a program of all expressions with those of each in eager.

    Each has operands of its own: `torch.neg(x)` and `torch.abs(x)` are `torch.neg(x0)` and
    `torch.abs(x1)` in the program.
    """
    numbered = [
        re.sub(rf"\b([{names}])\b", rf"\g<1>{index}", text)
        for index, text in enumerate(expressions)
    ]
    given = [f"{name}{index}: Tensor" for index in range(len(expressions)) for name in names]
    text = f"({', '.join(f'({each}) * 1.0' for each in numbered)},)"
    (program,) = programs(folder, ", ".join(given), [text]).values()
    script = minits.script(program)
    found = gradients(script, operands * len(expressions))
    assert all(remark.kind == "passed" for remark in script.remarks(*operands * len(expressions)))
    for index, expression in enumerate(expressions):
        mine = found[index * len(names) : (index + 1) * len(names)]
        compare(expression, mine, operands, single[expression])


def compare(
    expression: str, mine: Sequence[Tensor], operands: list[Tensor], function: Callable[..., Tensor]
) -> None:
    alone, among_equals = _one_by_one(function, operands, 1), _one_by_one(function, operands, 32)
    for gradient, *wanted in zip(mine, alone, among_equals, strict=True):
        near = [torch.isclose(gradient, each, 1e-11, 1e-13, equal_nan=True) for each in wanted]
        for place in (~(near[0] | near[1])).nonzero()[:, 0].tolist():
            given = [operand[place].item() for operand in operands]
            pytest.fail(f"{expression} of {given}: {gradient[place]} for {wanted[1][place]}")


def _one_by_one(
    function: Callable[..., Tensor], operands: list[Tensor], count: int
) -> list[Tensor]:
    """The gradients of each number as the only element of tensors of so many."""
    found = [
        [gradient[0] for gradient in gradients(function, [each.repeat(count) for each in given])]
        for given in zip(*operands, strict=True)
    ]
    return [torch.stack(each) for each in zip(*found, strict=True)]


def gradients(function: Callable[..., Any], operands: Sequence[Tensor]) -> list[Tensor]:
    leaves = [operand.clone().requires_grad_() for operand in operands]
    results = function(*leaves)
    results = results if isinstance(results, tuple) else (results,)
    found = torch.autograd.grad(
        results, leaves, [torch.full_like(result, 1.3) for result in results], allow_unused=True
    )
    return [
        torch.zeros_like(leaf) if gradient is None else gradient
        for leaf, gradient in zip(leaves, found, strict=True)
    ]
