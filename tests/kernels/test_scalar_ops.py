"""Every row of the table of scalar operations, against torch's operator of the same name."""

from collections.abc import Callable
from typing import Any

import pytest
import torch

from minits.kernels.ir.builder import Builder
from minits.kernels.ir.evaluate import evaluate
from minits.kernels.scalar_ops import SCALAR_OPS
from tests.support.scalar_samples import DTYPES, HALVES, INTEGERS, operands_of, tolerance
from tests.support.sloped import Sloped

F = torch.nn.functional
special = torch.special

# ---- The same in torch ---------------------------------------------------------------------------

TORCH: dict[str, Callable[..., torch.Tensor]] = {
    "trunc_divide": lambda a, b: torch.div(a, b, rounding_mode="trunc"),
    "fma": lambda a, b, c: torch.addcmul(c, a, b),
    "addcmul": lambda x, a, b, value: torch.addcmul(x, a, b, value=value),
    "addcdiv": lambda x, a, b, value: torch.addcdiv(x, a, b, value=value),
    "gelu_erf": F.gelu,
    "gelu_tanh": lambda x: F.gelu(x, approximate="tanh"),
    "log_sigmoid": F.logsigmoid,
    "elu": torch._C._nn.elu,
    "prelu": torch._prelu_kernel,
    "sloped": Sloped.apply,
    "checked": lambda x, is_right: x.clone(),
    "hardtanh": F.hardtanh,
    "softshrink": F.softshrink,
    "hardsigmoid": F.hardsigmoid,
    "softsign": F.softsign,
    "tanhshrink": F.tanhshrink,
    "mantissa": lambda x: torch.frexp(x)[0],
    "exponent": lambda x: torch.frexp(x)[1].to(x.dtype),
}
"""Rows that are called otherwise in torch."""

NUMBERS_ONLY: dict[str, tuple[tuple[float, ...], ...]] = {
    "nan_to_num": ((1.5, 7.0, -7.0),),
    "addcmul": ((1.0,), (0.5,), (-3.0,)),
    "addcdiv": ((1.0,), (0.5,), (-3.0,)),
    "elu": ((1.0, 1.0, 1.0), (0.5, 2.0, 1.5)),
    "celu": ((1.0,), (0.5,), (3.0,)),
    "leaky_relu": ((0.01,), (0.0,), (-0.5,)),
    "hardtanh": ((-1.0, 1.0), (0.0, 3.0)),
    "softplus": ((1.0, 20.0), (2.0, 3.0)),
    "softshrink": ((0.5,), (0.0,)),
    "hardshrink": ((0.5,), (0.0,)),
    "threshold": ((0.5, 7.0), (-3.0, 1.0)),
}
"""Rows whose last operands are numbers in torch, and some numbers for them."""

SEVERAL_STEPS = ("trunc_divide", "ldexp", "softsign", "tanhshrink")
"""Rows for which torch rounds halves more than once: they are compared with one rounding."""


NOT_OF_HALVES = ("nextafter", "erfcx", "log_ndtr", "zeta")
"""Rows that halves do not come to: torch has no kernel, or another one (the next float32)."""


def in_torch(name: str, *operands: Any) -> torch.Tensor:
    function = TORCH.get(name) or getattr(torch, name, None) or getattr(special, name, None)
    function = function or getattr(F, name)
    dtype = operands[0].dtype
    if dtype in HALVES and name in SEVERAL_STEPS:
        return function(*[operand.float() for operand in operands]).to(dtype)
    return function(*operands)


# ---- Results ------------------------------------------------------------------------------------


def usable(name: str, operands: list[torch.Tensor]) -> torch.Tensor:
    """Which samples torch defines, and computes alike in all of its own kernels."""
    first, last = operands[0], operands[-1]
    dtype = last.dtype
    if name in ("floor_divide", "trunc_divide", "remainder", "fmod"):
        if dtype in INTEGERS:
            return (last != 0) & (last != -1)  # torch raises, or the process ends
        return (last == 0) | (last.abs() >= torch.finfo(dtype).tiny)  # vectorised: NaN
    if name in ("gcd", "lcm") and dtype.is_signed:  # the smallest number has no absolute value
        smallest = torch.iinfo(dtype).min
        return (first != smallest) & (last != smallest)
    if name == "erfcx":  # torch loses digits of x * x
        return (last > -5) | ~last.isfinite()
    if name == "zeta":  # terms of both signs cancel
        return (last > -20) | (last == -float("inf"))
    if name == "gelu_erf" and dtype in (torch.float32, torch.bfloat16):
        return first != float("inf")  # oneDNN: NaN
    return torch.ones(first.shape, dtype=torch.bool)


def numbers_for(name: str, dtype: torch.dtype) -> list[tuple[float, ...]]:
    """Values of the operands that are numbers in torch; one empty tuple if there are none."""
    every = NUMBERS_ONLY.get(name, ((),))
    if dtype.is_floating_point:
        return list(every)
    least = 0 if dtype == torch.uint8 else -10
    return [numbers for numbers in every if all(n >= least and n == int(n) for n in numbers)]


def run(name: str, operands: list[torch.Tensor]) -> torch.Tensor:
    k = Builder()
    loads = [k.load(k.input(operand.dtype)) for operand in operands]
    result = k(name, *loads)
    k.output(result)
    [array] = evaluate(k.finish(), operands, (), tuple(operands[0].shape))
    return torch.from_numpy(array).to(result.dtype)


@pytest.mark.parametrize("name", [name for name, row in SCALAR_OPS.items() if row.is_exact])
def test_exact_rows_need_no_rounding(name: str) -> None:
    """Computed as float32 of halves, the result is a half."""
    for dtype in HALVES:
        operands = operands_of(name, dtype)
        for numbers in NUMBERS_ONLY.get(name, ((),)):
            rest = [torch.full_like(operands[0], number) for number in numbers]
            halves = [*operands[: len(operands) - len(rest)], *rest]
            wide = [each if each.dtype == torch.bool else each.float() for each in halves]
            result = run(name, wide)
            assert torch.equal(result.to(dtype).float().nan_to_num(7), result.nan_to_num(7))


def cases() -> list[Any]:
    return [
        pytest.param(name, dtype, id=f"{name}-{str(dtype).removeprefix('torch.')}")
        for name, row in SCALAR_OPS.items()
        for dtype in DTYPES
        if row.takes(dtype) and not (name in NOT_OF_HALVES and dtype in HALVES)
    ]


@pytest.mark.one_in(6)
@pytest.mark.parametrize(("name", "dtype"), cases())
def test_torch_computes_the_same(name: str, dtype: torch.dtype) -> None:
    row = SCALAR_OPS[name]
    operands = operands_of(name, dtype)
    keep = usable(name, operands)
    operands = [operand[keep] for operand in operands]
    for numbers in numbers_for(name, dtype):
        given = operands[: row.arity - len(numbers)]
        wanted = in_torch(name, *given, *numbers)
        found = run(name, [*given, *[torch.full_like(given[0], number) for number in numbers]])
        assert found.dtype == wanted.dtype
        for place in (wanted.isnan() & ~found.isnan()).nonzero().flatten().tolist():
            # vector instructions of some processors make NaN of gelu(inf) in float16
            alone = [operand[place : place + 1] for operand in given]
            wanted[place] = in_torch(name, *alone, *numbers)[0]
        torch.testing.assert_close(found, wanted, equal_nan=True, **tolerance(row, dtype))


ANY_ZERO = ("fmax", "fmin", "softshrink")
"""Rows for which the vectorised and the scalar part of one of torch's kernels differ."""


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    "name",
    [name for name, row in SCALAR_OPS.items() if row.takes(torch.float64) and name not in ANY_ZERO],
)
def test_zeros_have_the_signs_that_torch_gives_them(name: str) -> None:
    operands = operands_of(name, torch.float64)
    operands = [operand[usable(name, operands)] for operand in operands]
    for numbers in numbers_for(name, torch.float64):
        given = operands[: SCALAR_OPS[name].arity - len(numbers)]
        wanted = in_torch(name, *given, *numbers)
        found = run(name, [*given, *[torch.full_like(given[0], number) for number in numbers]])
        is_zero = (wanted == 0) & (found == 0)
        assert torch.equal(found.signbit()[is_zero], wanted.signbit()[is_zero])


# ---- Derivatives ---------------------------------------------------------------------------------

POINTS = (
    float("nan"), 0.0, -0.0, 0.5, -0.5, 1.0, -1.0, 1.5, -2.25, 3.0, -3.0, 6.0, 0.3, -0.8, 25.0,
    -31.5, 0.001, 100.0, -100.0, float("inf"), float("-inf"),
)  # fmt: skip
"""NaN is the first, where torch computes vectors: its scalar loops differ there in places."""


def derivative_operands(name: str) -> list[torch.Tensor]:
    count = SCALAR_OPS[name].arity - len(NUMBERS_ONLY.get(name, ((),))[0])
    points = torch.tensor(POINTS, dtype=torch.float64)
    if name == "logit":  # at -0, torch's vectorised gradient has another sign than its scalar one
        points = points[(points != 0) | ~points.signbit()]
    if name in ("i1", "i1e", "softsign"):  # torch: 1/2 at NaN, NaN at infinity
        points = points[points.isfinite()]
    if count == 1:
        return [points]
    return [column.contiguous() for column in torch.cartesian_prod(*[points] * count).unbind(1)]


def gradients_by_row(
    name: str, operands: list[torch.Tensor], g: torch.Tensor
) -> list[torch.Tensor | None]:
    """The gradients that the row's derivative gives, or None where there are none."""
    row = SCALAR_OPS[name]
    assert row.derivative is not None
    k = Builder()
    loads = [k.load(k.input(operand.dtype)) for operand in operands]
    incoming = k.load(k.input(g.dtype))
    given = row.derivative(k, incoming, k(name, *loads), loads)
    found = [None if gradient is NotImplemented else gradient for gradient in given]
    assert len(found) == row.arity
    for gradient in found:
        if gradient is not None:
            assert gradient.dtype == g.dtype
            k.output(gradient)
    arrays = iter(evaluate(k.finish(), [*operands, g], (), tuple(g.shape)))
    shape = g.shape
    return [
        None if gradient is None else torch.from_numpy(next(arrays)).broadcast_to(shape)
        for gradient in found
    ]


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", [name for name, row in SCALAR_OPS.items() if row.derivative])
def test_torch_has_the_same_gradient(name: str) -> None:
    for numbers in NUMBERS_ONLY.get(name, ((),)):
        tensors = [operand.requires_grad_() for operand in derivative_operands(name)]
        if name == "where":
            tensors[0] = tensors[0].detach() > 0
        if name == "zeta":  # torch has no derivative by the first operand
            tensors[0] = tensors[0].detach()
        if name == "floor_divide":  # torch has no derivative of it, but this one of div
            result = torch.div(*tensors, rounding_mode="floor")
        else:
            result = in_torch(name, *tensors, *numbers)
        g = torch.linspace(-2, 3, len(result), dtype=torch.float64)
        leaves = [tensor for tensor in tensors if tensor.requires_grad]
        if result.requires_grad:
            wanted = torch.autograd.grad(result, leaves, g, allow_unused=True)
        else:
            wanted = (None,) * len(leaves)
        rest = [torch.full_like(g, number) for number in numbers]
        found = gradients_by_row(name, [*[t.detach() for t in tensors], *rest], g)
        assert found[len(tensors) :] == [None] * len(numbers)
        floating = [gradient for gradient, t in zip(found, tensors) if t.requires_grad]
        for ours, theirs in zip(floating, wanted, strict=True):
            zero = torch.zeros_like(g)
            torch.testing.assert_close(
                zero if ours is None else ours,
                zero if theirs is None else theirs,
                rtol=1e-7 if name == "hardsigmoid" else 1e-9,  # torch has 1/6 as a float32
                atol=1e-12,
                equal_nan=True,
            )
