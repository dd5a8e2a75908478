"""Every argument that is a number, at numbers that nobody means: values and errors are eager's.

Eager converts most of them to the tensor's dtype, or to the one that it computes in, and raises
where that does not hold them; others it takes as they are. Each is given at run time, to a kernel
that is built, and as a constant, to one that numpy computes.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor

import minits
from conformance.fuzz.search import CHEAP_FLAGS
from tests.kernels.lowered import check, programs

NUMBERS = [0.0, -1.0, 0.5, 300.0, 1e6, 1e39, 1e-50, float("inf"), -float("inf"), float("nan")]
DTYPES = [torch.float32, torch.float16, torch.int64, torch.int8]
EXPRESSIONS = [
    "torch.add(x, x, alpha=s)", "torch.sub(x, x, alpha=s)", "torch.rsub(x, x, alpha=s)",
    "torch.add(x, s)", "torch.mul(x, s)", "torch.sub(x, s)", "torch.div(x, s)", "x == s", "x < s",
    "torch.addcmul(x, x, x, value=s)", "torch.addcdiv(x, x, x + 1, value=s)",
    "torch.clamp(x, s)", "torch.clamp(x, None, s)", "torch.clamp(x, s, s)",
    "torch.clamp_min(x, s)", "torch.clamp_max(x, s)", "torch.lerp(x, x + 1, s)",
    "torch.masked_fill(x, x > 0, s)", "torch.where(x > 0, x, s)", "torch.full_like(x, s)",
    "torch.nan_to_num(x, s)", "torch.nan_to_num(x, None, s)", "F.pad(x, [1, 1], value=s)",
    "torch.pow(torch.nan_to_num(x).abs() + 1, s)", "torch.pow(s, x)", "torch.float_power(x, s)",
    "torch.xlogy(x, s)",
    "torch.fmod(x, s)", "torch.remainder(x, s)", "torch.floor_divide(x, s)",
    "torch.copysign(x, s)", "torch.logit(x, s)", "torch.isclose(x, x + 0.1, s, 0.1)",
    "torch.isclose(x, x + 0.1, 0.1, s)", "F.celu(x, s)", "F.elu(x, s)",
    "torch.ops.aten.elu(x, 1, s)", "torch.ops.aten.elu(x, 1, 1, s)", "F.leaky_relu(x, s)",
    "F.hardshrink(x, s)", "F.softshrink(x, s)", "torch.ops.aten.hardtanh(x, s, 1)",
    "torch.ops.aten.hardtanh(x, -1, s)", "F.threshold(x, s, 0.5)", "F.threshold(x, 0.3, s)",
    "F.softplus(x, s)", "F.softplus(x, 1.0, s)", "F.rrelu(x, s, 1.0)", "F.rrelu(x, 0.1, s)",
    "F.hinge_embedding_loss(x, x, s)", "F.margin_ranking_loss(x, x + 1, x, s)",
    "F.huber_loss(x, x * 0.5, delta=s)", "F.smooth_l1_loss(x, x * 0.5, beta=s)",
    "F.poisson_nll_loss(x, x, False, True, eps=s)",
    "F.cosine_similarity(x, x + 1, -1, s)", "F.pairwise_distance(x, x + 1, 2.0, s)",
    "F.layer_norm(x, [5], eps=s)", "F.rms_norm(x, [5], eps=s)", "F.group_norm(x, 5, eps=s)",
    "torch.batch_norm(x, None, None, x[0], x[1].abs(), False, 0.1, s, False)",
    "torch.dropout(x, s, False)",
    "torch.alpha_dropout(x, s, False)", "torch.feature_dropout(x, s, False)",
]  # fmt: skip
"""`s` is the number. Powers are of operands about which eager's two loops agree."""
ONLY_CONSTANT = [
    "torch.norm(x, s, -1)", "torch.dist(x, x + 1, s)", "F.pairwise_distance(x, x + 1, s)",
    "torch.linalg.vector_norm(x, s, -1)", "torch.var(x, -1, correction=s)",
]  # fmt: skip
SIZES = [0, 1, -1, 4, 5, 7, -7, 2**40]
OF_SIZES = [
    "torch.sum(x, n)", "torch.amax(x, [n, -1])", "torch.mean(x, [0, n])", "torch.softmax(x, n)",
    "torch.any(x, n)", "torch.argmax(x, n)", "torch.logsumexp(x, [n, 1])",
    "F.glu((x * 1)[:, 1:], n)",
    "torch.count_nonzero(x, [n, -1])", "F.layer_norm(x, [n])", "F.layer_norm(x, [5, n])",
    "F.layer_norm((x * 1)[:, :1], [n])",
    "F.rms_norm(x, [n])", "torch.group_norm(x, n)", "x.unsqueeze(n)",
    "torch.select(x, 0, n)", "torch.narrow(x, 0, 1, n)", "torch.roll(x, n, 0)", "torch.diff(x, n)",
    "torch.round(x, decimals=n)", "torch.cumsum(x, n)", "torch.flip(x, [n])", "x.transpose(0, n)",
]  # fmt: skip
ERRORS = (RuntimeError, IndexError, ValueError, ZeroDivisionError)
TOLERANCE = {torch.float16: {"rtol": 2e-3, "atol": 1e-3}}


@pytest.fixture(autouse=True)
def quickly_built(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MINITS_CFLAGS", CHEAP_FLAGS)


def operand(dtype: torch.dtype) -> Tensor:
    x = torch.linspace(-3, 3, 25).view(5, 5)
    if dtype.is_floating_point:
        x[0, 1], x[1, 1], x[2, 1], x[3, 1] = float("nan"), float("inf"), -float("inf"), 200.0
    return x.to(dtype)


def taken(function: Any, dtypes: list[torch.dtype], number: Any) -> list[Tensor]:
    """The operands that eager takes, beside some number or another."""
    found = []
    for x in map(operand, dtypes):
        for some in (0.5, 1, number):
            if not isinstance(_outcome(function, x, type(number)(some)), Exception):
                found.append(x)
                break
    return found


def _outcome(function: Any, *arguments: Any) -> Any:
    torch.manual_seed(0)
    try:
        return function(*arguments)
    except ERRORS as refusal:
        return refusal


def compare(found: Any, wanted: Any) -> None:
    if isinstance(wanted, Exception):
        assert isinstance(found, Exception), f"no error for: {wanted}"
        assert str(wanted).splitlines()[0] in str(found), f"another error for: {wanted}"
        return
    assert not isinstance(found, Exception), found
    tolerance = TOLERANCE.get(wanted.dtype, {})
    torch.testing.assert_close(found, wanted, equal_nan=True, **tolerance)


@pytest.mark.one_in(40)
@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_numbers_at_run_time(expression: str, tmp_path: Path) -> None:
    text = f"({expression.replace('(x', '(x * 1')}) * 1"
    (function,) = programs(tmp_path, "x: Tensor, s: float", [text]).values()
    script = minits.script(function)
    operands = taken(function, DTYPES, 0.5)
    assert operands
    for x in operands:
        for number in NUMBERS:
            wanted = _outcome(function, x, number)
            for _ in range(2):
                compare(_outcome(script, x, number), wanted)


@pytest.mark.one_in(12)
@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("expression", [*EXPRESSIONS, *ONLY_CONSTANT])
def test_numbers_that_are_constants(expression: str, tmp_path: Path) -> None:
    (example,) = programs(tmp_path, "x: Tensor, s: float", [expression]).values()
    operands = taken(example, DTYPES, 0.5)
    texts = [re.sub(r"\bs\b", f"float('{number}')", expression) for number in NUMBERS]
    for function in programs(tmp_path, "x: Tensor", texts).values():
        for x in operands:
            check(function, [x], may_refuse=True)


@pytest.mark.one_in(8)
@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("expression", OF_SIZES)
def test_dimensions_and_sizes(expression: str, tmp_path: Path) -> None:
    text = f"({expression.replace('(x', '(x * 1')}) * 1"
    texts = [text, *[re.sub(r"\bn\b", str(size), text) for size in SIZES]]
    given, *constant = programs(tmp_path, "x: Tensor, n: int", texts).values()
    x, script = operand(torch.float32), minits.script(given)
    for size, function in zip(SIZES, constant, strict=True):
        wanted = _outcome(given, x, size)
        compare(_outcome(script, x, size), wanted)
        compare(_outcome(minits.script(function), x, size), wanted)
