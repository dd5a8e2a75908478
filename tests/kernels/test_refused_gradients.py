"""Gradients that eager refuses are refused, and by its error; where it gives None, so do kernels.

Each operator is differentiated by each operand.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor

import minits
from conformance.fuzz.search import CHEAP_FLAGS
from tests.kernels.lowered import programs

EXPRESSIONS = [
    "torch.floor_divide(x, y)", "torch.floor_divide(x, 2.0)", "x // y", "torch.remainder(2.0, x)",
    "torch.remainder(x, y)", "torch.remainder(x, 2.0)", "torch.fmod(x, y)", "torch.pow(2.0, x)",
    "torch.float_power(2.0, x)", "torch.xlogy(2.0, x)", "torch.special.xlog1py(2.0, x)",
    "torch.where(x > 0, 2.0, x)", "torch.div(x, y, rounding_mode='floor')", "torch.frac(x)",
    "torch.heaviside(x, y)", "torch.nextafter(x, y)", "torch.copysign(x, y)", "torch.ldexp(x, y)",
    "torch.special.zeta(x.abs() + 2, y)",
    "torch.round(x)", "torch.round(x, decimals=1)", "torch.signbit(x)", "torch.sgn(x)",
    "torch.nan_to_num(x)", "torch.isclose(x, y)", "torch.outer(x, y)", "torch.rsub(x, y)",
    "torch.argmax(x)", "torch.count_nonzero(x)", "torch.full_like(x, 2.0) * y", "x.detach() + y",
    "x.to(torch.int64).to(torch.float64)", "torch.cumsum(x, 0)", "torch.aminmax(x)[0]",
    "torch.batch_norm(x.view(5, 1, 1), None, None, y[:1], y[1:2].abs(), False, 0.1, 1e-5, False)",
    "torch.batch_norm(x.view(5, 1, 1), y[:1], y[:1], x.detach()[:1], x.detach()[:1].abs(), False,"
    " 0.1, 1e-5, False)",
    "F.soft_margin_loss(x, y)", "F.kl_div(x, y)", "F.huber_loss(x, y)", "F.smooth_l1_loss(x, y)",
    "F.binary_cross_entropy(torch.sigmoid(x), torch.sigmoid(y))",
    "F.binary_cross_entropy(torch.sigmoid(x), torch.sigmoid(x).detach(), weight=y)",
    "F.binary_cross_entropy_with_logits(x, y)",
    "F.binary_cross_entropy_with_logits(x, x.detach(), weight=y)",
    "F.binary_cross_entropy_with_logits(x, x.detach(), pos_weight=y)",
    "F.hinge_embedding_loss(x, y)", "F.margin_ranking_loss(x, x * 2, y)",
    "F.poisson_nll_loss(x, y)", "F.cross_entropy(x[None], torch.softmax(y, 0)[None])",
    "F.cross_entropy(x[None], torch.zeros(1, dtype=torch.int64), weight=y)",
    "torch.native_layer_norm(x, [5], y, y, 1e-5)[1] + x",
    "torch.native_layer_norm(x, [5], y, y, 1e-5)[2]", "F.rms_norm(x, [5], y)",
    "F.group_norm(x.view(1, 5), 1, y, y)", "torch.linalg.vector_norm(x, 0)",
    "torch.gather(x, 0, torch.zeros(3, dtype=torch.int64))", "torch.masked_fill(x, y > 0, y.sum())",
]  # fmt: skip


@pytest.fixture(autouse=True)
def quickly_built(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MINITS_CFLAGS", CHEAP_FLAGS)


def outcome(function: Any, *differentiable: bool) -> list[Tensor | None] | str:
    """The gradients by the two operands, or the error, and when it is raised."""
    operands = [[1.5, -2.5, 0.3, 4.0, -0.7], [0.6, 1.25, -3.0, 2.0, 0.8]]
    pairs = zip(operands, differentiable, strict=True)
    x, y = [
        torch.tensor(numbers, dtype=torch.float64, requires_grad=is_leaf)
        for numbers, is_leaf in pairs
    ]
    try:
        result = function(x, y)
    except RuntimeError as fault:
        return f"call: {_last(fault)}"
    if not result.requires_grad:
        return "no gradient"
    try:
        result.sum().backward()
    except RuntimeError as fault:
        return f"gradient: {_last(fault)}"
    return [x.grad, y.grad]


def _last(fault: Exception) -> str:
    return re.sub(r"^(RuntimeError|NotImplementedError): ", "", str(fault).splitlines()[-1])


@pytest.mark.one_in(16)
@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_gradients_by_each_operand(expression: str, tmp_path: Path) -> None:
    text = f"({expression}) * 1.0".replace("(x,", "(x * 1.0,")
    (function,) = programs(tmp_path, "x: Tensor, y: Tensor", [text]).values()
    script = minits.script(function)
    for leaves in ((True, False), (False, True), (True, True), (False, True)):
        wanted, found = outcome(function, *leaves), outcome(script, *leaves)
        if isinstance(wanted, str) or isinstance(found, str):
            assert found == wanted
            continue
        for mine, theirs in zip(found, wanted, strict=True):
            assert (mine is None) == (theirs is None)
            if theirs is not None:
                torch.testing.assert_close(mine, theirs, equal_nan=True)


def entropy(x: Tensor, target: Tensor) -> Tensor:
    return F.binary_cross_entropy(x * 1, target * 1, reduction="none") * 1


def test_a_call_that_is_refused_is_not_remembered() -> None:
    script, x = minits.script(entropy), torch.full((600,), 0.3, requires_grad=True)
    target = torch.full((600,), 0.5)
    for wrong in (2.0, float("nan"), -1.0):
        target[7] = wrong
        with pytest.raises(RuntimeError, match="all elements of target should be between 0 and 1"):
            script(x, target)
    target[7] = 0.0
    torch.testing.assert_close(script(x, target), entropy(x, target))
    assert not any(remark.kind == "missed" for remark in script.remarks(x, target))


@pytest.mark.one_in(2)
@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32, torch.float64])
@pytest.mark.parametrize("number", [0.0, -0.0, 1.0])
def test_the_slope_of_the_entropy_of_what_is_certain(dtype: torch.dtype, number: float) -> None:
    gradients = []
    for program in (entropy, minits.script(entropy)):
        x = torch.full((40,), number, dtype=dtype, requires_grad=True)
        program(x, torch.full((40,), 0.6, dtype=dtype)).sum().backward()
        gradients.append(x.grad)
    torch.testing.assert_close(gradients[1], gradients[0])
