"""Elementwise operators, casts and choices become kernels that compute what eager does."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch import Tensor

from tests.kernels.lowered import check, graph_of, lower_for, programs, run

DTYPES = [
    torch.float32, torch.float64, torch.float16, torch.bfloat16, torch.int64, torch.int32,
    torch.uint8, torch.bool,
]  # fmt: skip
FLOATS = DTYPES[:4]
SIGNATURE = "x: Tensor, y: Tensor, s: float, n: int"

UNARY = (
    "neg abs square sign sgn relu exp exp2 expm1 log log2 log10 log1p sqrt rsqrt reciprocal sin "
    "cos tan asin acos atan sinh cosh tanh asinh acosh atanh sigmoid erf erfc erfinv lgamma "
    "digamma deg2rad rad2deg sinc i0 floor ceil round trunc frac logical_not isnan isinf isfinite "
    "isposinf isneginf signbit bitwise_not logit nan_to_num special.i0e "
    "special.i1 special.i1e special.entr special.ndtr special.erfcx special.log_ndtr frexp angle"
).split()
BINARY = (
    "add sub mul div maximum minimum fmax fmin eq ne lt le gt ge logical_and logical_or "
    "logical_xor bitwise_and bitwise_or bitwise_xor bitwise_left_shift bitwise_right_shift "
    "remainder fmod floor_divide atan2 hypot nextafter copysign logaddexp logaddexp2 xlogy "
    "special.xlog1py special.zeta gcd lcm heaviside ldexp pow float_power rsub"
).split()
NUMBERS = [
    "x * s", "x + s", "-x + s", "x / s", "x * n", "x + n", "x / n", "x // n", "x % n",
    "x ** 2", "x ** 0.5", "x ** -1", "x ** 3", "x ** s", "2 ** x", "x * 0.1", "x + 1", "x - 2.5",
    "x == n", "x < s", "x > 0.1", "x & n", "x | n", "x << 1",
    "torch.add(x, y, alpha=n)", "torch.add(x, y, alpha=0.3)", "torch.sub(x, y, alpha=2)",
    "torch.rsub(x, s)", "torch.div(x, y, rounding_mode='floor')",
    "torch.div(x, y, rounding_mode='trunc')", "torch.fmod(x, 3)", "torch.remainder(x, s)",
    "torch.clamp(x, 0, 2)", "torch.clamp(x, min=s)", "torch.clamp(x, max=0.5)",
    "torch.clamp(x, y, y + 1)", "torch.clamp_min(x, 0.25)", "torch.clamp_max(x, y)",
    "torch.where(x > y, x, y)", "torch.where(x > 0, x, 0.5)", "torch.where(x > 0, 1, y)",
    "torch.where(x.to(torch.bool), s, n)", "x.masked_fill(y > 0, -1e4)", "x.masked_fill(y > 0, s)",
    "x.masked_fill(y == 0, 3)", "x.masked_fill(y > 1, float('-inf'))",
    "torch.addcmul(x, y, x)", "torch.addcmul(x, y, x, value=n)",
    "torch.addcmul(x, y, x, value=0.5)",
    "torch.addcdiv(x, y, x + 3, value=s)", "torch.lerp(x, y, 0.3)", "torch.lerp(x, y, s)",
    "torch.lerp(x, y, x)", "torch.logit(x, 1e-3)", "torch.nan_to_num(x, 1.0, 2.0, -2.0)",
    "torch.isclose(x, y, rtol=0.1)", "torch.pow(s, x)", "torch.zeros_like(x) + y",
    "torch.ones_like(x, dtype=torch.float64) * y", "torch.full_like(x, s) * x",
    "torch.fill(x, s) + y", "torch.fill(x, 2) * y", "torch.fill(x, y[0, 0]) - y",
    "torch.ops.aten.zero(x) + y",
    "x.to(torch.float16) + 1", "x.to(torch.float32) * 2", "x.to(torch.int64) + 1",
    "x.to(torch.bool) == y.to(torch.bool)", "x.type_as(y) + y", "x.to(y) + y", "x.float() * 3",
    "x.half() + x", "x.double() - 1", "x.to('cpu') + 1", "x.clone()", "x.contiguous() + y",
    "x.expand_as(y + x) + y", "torch.copysign(x, -1.0)", "torch.round(x, decimals=2)",
    "torch.round(x, decimals=-1)", "torch.round(x, decimals=0)",
    "torch.diff(x) * s", "torch.diff(x, dim=0)", "torch.diff(x, 3)", "torch.polygamma(0, x)",
    "torch.polygamma(1, x)",
    "torch.mvlgamma(x.abs() + 2, 3)", "torch.conj_physical(x) + y", "torch.outer(x[0], y[1])",
    "torch.real(x) * y", "torch.conj(x) + y", "x.resolve_conj() + y", "(x + y, x - y, x > y)",
]  # fmt: skip
ACTIVATIONS = [
    "F.gelu(x)", "F.gelu(x, approximate='tanh')", "F.silu(x)", "F.mish(x)", "F.elu(x, 0.7)",
    "F.celu(x, 1.3)", "F.selu(x)", "F.hardtanh(x, -0.5, 0.5)", "F.relu6(x)", "F.relu(x)",
    "F.hardswish(x)", "F.hardsigmoid(x)", "F.leaky_relu(x, 0.1)", "F.leaky_relu(x, s)",
    "F.softplus(x)", "F.softplus(x, 2.0, 1.0)", "F.softsign(x)", "F.tanhshrink(x)",
    "F.softshrink(x, 0.3)", "F.hardshrink(x, 0.3)", "F.threshold(x, 0.1, 20.0)",
    "F.logsigmoid(x)", "F.dropout(x, 0.5, False) + 1", "F.rrelu(x) * 2", "x.detach() * 2",
]  # fmt: skip
EXPRESSIONS = [f"torch.{op}(x)" for op in UNARY] + [f"torch.{op}(x, y)" for op in BINARY]


@pytest.fixture(scope="module")
def functions(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("programs")
    return programs(folder, SIGNATURE, [*EXPRESSIONS, *NUMBERS, *ACTIVATIONS])


def tensor(shape: tuple[int, ...], dtype: torch.dtype, seed: int) -> Tensor:
    generator = torch.Generator().manual_seed(seed)
    values = torch.randn(shape, generator=generator, dtype=torch.float64) * 2
    if dtype == torch.bool:
        return values > 0
    return values.abs().to(dtype) if dtype == torch.uint8 else values.to(dtype)


LEFT_TO_EAGER = "nextafter ldexp i0e i1 gamma erfcx log_ndtr zeta".split()
"""What half types have no kernel of."""
DIVISIONS = ("remainder", "fmod", "floor_divide", "rounding_mode")


@pytest.mark.one_in(8)
@pytest.mark.parametrize("expression", [*EXPRESSIONS, *NUMBERS, *ACTIVATIONS])
def test_dtypes(functions: dict[str, Any], expression: str) -> None:
    for dtype in DTYPES:
        x, y = tensor((3, 5), dtype, 0), tensor((3, 5), dtype, 1)
        if not dtype.is_floating_point and any(name in expression for name in DIVISIONS):
            y = torch.where(y == 0, 1, y).to(dtype)  # eager raises an error
        is_half = dtype in (torch.float16, torch.bfloat16)
        is_half &= any(name in expression for name in LEFT_TO_EAGER)
        may_refuse = dtype not in FLOATS or "isclose" in expression or is_half
        check(functions[expression], [x, y, 1.25, 3], may_refuse)


INTEGERS = [
    "x + y", "x - y", "x * y", "x * n", "x + n", "x / y", "-x", "x.abs()", "x << 1", "x & n",
    "x // 3", "x % 3", "x ** 2", "x == y", "torch.maximum(x, y)", "torch.clamp(x, 0, 2)",
    "torch.where(x > y, x, y)", "x.masked_fill(y > 0, 7)", "torch.addcmul(x, y, x)",
    "x * 0.5", "torch.exp(x)", "x.to(torch.float16) * y", "torch.floor(x) + y",
]  # fmt: skip


@pytest.mark.parametrize("expression", INTEGERS)
@pytest.mark.parametrize("dtype", [torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8])
def test_integers(integers: dict[str, Any], expression: str, dtype: torch.dtype) -> None:
    check(integers[expression], [tensor((3, 5), dtype, 0), tensor((3, 5), dtype, 1), 1.25, 3])


@pytest.fixture(scope="module")
def integers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return programs(tmp_path_factory.mktemp("integers"), SIGNATURE, INTEGERS)


# ---- Promotion and shapes ------------------------------------------------------------------------

MIXED = [
    "x + y",
    "x / y",
    "x * y * 2",
    "torch.where(x > 0, x, y)",
    "torch.exp(x) * y + s",
    "x == y",
]
SHAPES: list[tuple[tuple[int, ...], tuple[int, ...]]] = [
    ((), ()), ((3,), ()), ((), (3,)), ((3, 1), (4,)), ((1, 4), (3, 4)), ((0,), (1,)),
    ((2, 0, 3), (3,)), ((1,), (1, 1)), ((2, 3, 4), (3, 1)), ((1, 1), (5, 1)),
]  # fmt: skip


@pytest.fixture(scope="module")
def mixed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return programs(tmp_path_factory.mktemp("mixed"), SIGNATURE, MIXED)


@pytest.mark.one_in(4)
@pytest.mark.parametrize("expression", MIXED)
@pytest.mark.parametrize("dtype", DTYPES)
def test_promotion(mixed: dict[str, Any], expression: str, dtype: torch.dtype) -> None:
    """Of two dtypes, of which each may be that of a 0-dim tensor."""
    for other in DTYPES:
        for left, right in [((3,), (3,)), ((3,), ()), ((), (3,)), ((), ())]:
            check(mixed[expression], [tensor(left, dtype, 0), tensor(right, other, 1), 0.1, 3])


@pytest.mark.parametrize("expression", MIXED)
@pytest.mark.parametrize(("left", "right"), SHAPES)
def test_shapes(mixed: dict[str, Any], expression: str, left: Any, right: Any) -> None:
    x, y = tensor(left, torch.float32, 0), tensor(right, torch.float32, 1)
    check(mixed[expression], [x, y, 0.1, 3])


def test_halves_are_rounded_as_in_eager(mixed: dict[str, Any]) -> None:
    for dtype in (torch.float16, torch.bfloat16):
        x, y = tensor((64,), dtype, 0), tensor((64,), dtype, 1)
        for expression in ("x + y", "x / y", "x * y * 2"):
            function = mixed[expression]
            (found,) = run(lower_for(graph_of(function), [x, y, 0.1, 3]), [x, y, 0.1, 3])
            assert torch.equal(found, function(x, y, 0.1, 3))
