"""Where a norm or a deviation is zero its slope is infinite: eager has zero there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor

import minits
from tests.kernels.lowered import programs

EXPRESSIONS = [
    "torch.norm(x * 1.5, 2, -1)", "torch.norm(x * 1.5, 3, -1)", "torch.norm(x * 1.5, 1, -1)",
    "torch.norm(x * 1.5, 0.5, -1)", "torch.norm(x * 1.5, 1.5, -1)", "torch.norm(x * 1.5, -1, -1)",
    "torch.norm(x * 1.5, float('inf'), -1)", "F.normalize(x * 1.5, dim=-1)",
    "F.normalize(x * 1.5, p=1.0, dim=-1)", "(x * 1.5).std(-1)", "torch.std_mean(x * 1.5, -1)[0]",
    "(x * 1.5).var(-1)", "F.cosine_similarity(x * 1.5, y, -1)", "F.pairwise_distance(x * 1.5, y)",
    "F.pairwise_distance(x * 1.5, y, 3.0)", "torch.dist(x * 1.5, x * 1.5)",
    "torch.linalg.vecdot(x * 1.5, y)", "(x * 1.5).nanmean(-1)",
]  # fmt: skip


@pytest.fixture(scope="module")
def functions(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return programs(tmp_path_factory.mktemp("at_zero"), "x: Tensor, y: Tensor", EXPRESSIONS)


def operands() -> list[Tensor]:
    """Rows of zeros, a single zero, and a row of equal numbers."""
    generator = torch.Generator().manual_seed(0)
    x, y = torch.randn((2, 5, 6), generator=generator, dtype=torch.float64)
    x[1], x[2, 3], x[3], y[1], y[4] = 0, 0, 2, 0, 0
    return [x, y]


@pytest.mark.one_in(10)
@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_gradients_are_eagers(functions: dict[str, Any], expression: str) -> None:
    function, script = functions[expression], minits.script(functions[expression])
    found, wanted = (
        torch.autograd.grad(each(*leaves).sum(), leaves, allow_unused=True)
        for each in (script, function)
        for leaves in [[operand.requires_grad_() for operand in operands()]]
    )
    assert all(remark.kind == "passed" for remark in script.remarks(*operands()))
    for mine, theirs in zip(found, wanted, strict=True):
        torch.testing.assert_close(mine, theirs, rtol=1e-7, atol=1e-9)


EXTREMES = [
    "torch.max(x * 2.0, dim=-1)[0]", "torch.min(x * 2.0, dim=-1, keepdim=True)[0]",
    "torch.amax(x * 2.0, dim=-1)", "torch.max(x * 2.0)", "torch.min(x * 2.0)",
]  # fmt: skip


@pytest.mark.one_in(4, over="has_nan")
@pytest.mark.parametrize("has_nan", [False, True])
@pytest.mark.parametrize("expression", EXTREMES)
def test_which_of_equal_elements_have_the_gradient(
    expression: str, has_nan: bool, tmp_path: Path
) -> None:
    """Over one dimension the first one has; in `amax`, and over all, they share it."""
    (function,) = programs(tmp_path, "x: Tensor", [f"{expression} * 3.0"]).values()
    x = torch.tensor([[1.0, 3.0, 3.0, 1.0], [2.0, 2.0, 2.0, 2.0], [3.0, 1.0, 0.0, 0.0]])
    if has_nan:
        x[0, 1] = x[0, 3] = float("nan")
    gradients = []
    for each in (function, minits.script(function)):
        leaf = x.clone().requires_grad_()
        gradients += torch.autograd.grad(each(leaf).sum(), leaf)
    torch.testing.assert_close(gradients[1], gradients[0], equal_nan=True)
