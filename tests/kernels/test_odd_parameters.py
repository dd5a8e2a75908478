"""Activations, losses and norms with parameters that nobody means: values and errors are eager's.

Each number is given as a constant and at run time.
"""

from __future__ import annotations

import re
import warnings
from pathlib import Path
from typing import Any

import pytest
import torch

import minits
from tests.kernels.lowered import programs

NUMBERS = [-2.5, -1.0, 0.0, 0.3, 1.0, float("nan")]
CONSTANTS = [-1.0, 0.0, float("nan")]
EXPRESSIONS = [
    "F.softplus(x, s)", "F.softplus(x, 1.0, s)", "F.elu(x, s)", "F.celu(x, s)",
    "F.leaky_relu(x, s)", "F.hardtanh(x, s, 1.0)", "F.hardtanh(x, -1.0, s)",
    "F.threshold(x, s, 0.5)", "F.softshrink(x, s)", "F.hardshrink(x, s)", "torch.logit(x, s)",
    "F.rrelu(x, s, 1.0)", "F.rrelu(x, 0.1, s)", "F.layer_norm(x, [5], eps=s)",
    "F.rms_norm(x, [5], eps=s)", "F.huber_loss(x, x * 0.5, reduction='none', delta=s)",
    "F.smooth_l1_loss(x, x * 0.5, reduction='none', beta=s)", "x.var(-1, correction=s)",
    "F.cosine_similarity(x, x + 1, -1, s)", "torch.isclose(x, x + 0.1, s, 0.1)",
    "torch.isclose(x, x + 0.1, 0.1, s)",
]  # fmt: skip


@pytest.mark.one_in(20)
@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_values_and_errors_are_those_of_eager(expression: str, tmp_path: Path) -> None:
    expression = f"({expression.replace('(x', '(x * 1')}, x + 1)"
    x = torch.linspace(-3, 3, 25).view(5, 5)
    x[0, 1], x[1, 1], x[2, 1], x[3, 1] = float("nan"), float("inf"), -float("inf"), 200.0
    (at_run_time,) = programs(tmp_path, "x: Tensor, s: float", [expression]).values()
    script = minits.script(at_run_time)
    for number in NUMBERS:
        _check(at_run_time, script, x, number)
    for number in CONSTANTS:
        text = re.sub(r"\bs\b", f"float('{number}')", expression)
        (constant,) = programs(tmp_path, "x: Tensor", [text]).values()
        _check(constant, minits.script(constant), x)


def _check(function: Any, script: Any, *arguments: Any) -> None:
    try:
        wanted, _ = function(*arguments)
    except (RuntimeError, ValueError) as refusal:
        with pytest.raises((RuntimeError, ValueError)) as found:
            script(*arguments)
        assert str(refusal).splitlines()[0] in str(found.value)
        return
    torch.testing.assert_close(script(*arguments)[0], wanted, equal_nan=True)


def huber(x: torch.Tensor) -> torch.Tensor:
    return torch.nn.functional.huber_loss(x * 1, x * 0.5, reduction="none") + 1


def test_the_gradient_where_the_parabola_ends() -> None:
    gradients = []
    for program in (huber, minits.script(huber)):
        x = torch.tensor([-2.0, 0.5, 2.0, 3.0], requires_grad=True)
        program(x).sum().backward()
        gradients.append(x.grad)
    torch.testing.assert_close(gradients[1], gradients[0])


def variances(x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    return (x * 2).var(-1) + 1, torch.std(x * 2, -1) + 1


@pytest.mark.one_in(2)
@pytest.mark.parametrize("requires_grad", [False, True])
def test_eager_warns_of_variances_without_freedom(requires_grad: bool) -> None:
    script = minits.script(variances)
    for length in (5, 1, 4, 1):
        x = torch.rand(6, length, requires_grad=requires_grad)
        told = []
        for program in (variances, script):
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                results = program(x)
            told.append(([str(each.message) for each in caught], results))
        assert told[0][0] == told[1][0]
        assert len(told[0][0]) == 2 * (length == 1)
        torch.testing.assert_close(told[1][1], told[0][1], equal_nan=True)
