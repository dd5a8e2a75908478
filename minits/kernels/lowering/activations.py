"""Activations. In half types they are computed in float32 and rounded once."""

from __future__ import annotations

import torch

from minits.ir.constants import NOT_CONSTANT, to_python
from minits.kernels.ir.kernel import Scalar
from minits.kernels.lowering import stride_rules as rules
from minits.kernels.lowering.checks import (
    Check,
    a_probability,
    fitting,
    in_order,
    in_range,
    invertible,
)
from minits.kernels.lowering.result import View
from minits.kernels.lowering.row import At, Lowering, StrideRule, of_first


def activation(
    op: str,
    *numbers: str,
    check: Check | None = None,
    rounded: str | None = None,
    strides: StrideRule | None = None,
) -> Lowering:
    """A row of `SCALAR_OPS` on the first argument and numbers; `check` checks the first number.

    The dtype that is computed in holds the numbers; the tensor's own holds the one that eager has
    `rounded` to it.
    """

    def emit(at: At) -> Scalar:
        dtype, (value,) = at.floating("self")
        given = [
            fitting(at, at.operand(name), dtype if name == rounded else value.dtype)
            for name in numbers
        ]
        result = at.apply(op, value, *[at.k.cast(number, value.dtype) for number in given])
        if check is not None:
            result = check(at, numbers[0], result)
        return at.k.cast(result, dtype)

    return Lowering(emit, of_first, strides=strides)


def _gelu(at: At) -> Scalar:
    dtype, (value,) = at.floating("self")
    op = {"none": "gelu_erf", "tanh": "gelu_tanh"}[at.constant("approximate", "none")]
    return at.k.cast(at.apply(op, value), dtype)


def _hardtanh(at: At) -> Scalar:
    dtype = at.operand("self").dtype
    if dtype == torch.uint8:
        raise at.refuse_dtype(dtype)
    bounds = [fitting(at, at.operand(name), dtype) for name in ("min_val", "max_val")]
    result = at.apply("hardtanh", at.operand("self").to(at.k, dtype), *bounds)
    return in_order(at, "min_val", "max_val", result)


def _check_not_random(at: At, training: str) -> None:
    """Raise NotFusable unless the argument named `training` is False whenever the program runs."""
    value = at.argument(training)
    assert value is not None
    is_training = to_python(value)
    if is_training is NOT_CONSTANT:
        raise at.refuse("random", f"draws random numbers if {training} is True at run time")
    if is_training:
        raise at.refuse("random", "draws random numbers")


def _dropout(at: At) -> Scalar:
    """The very tensor that is given, as in eager."""
    _check_not_random(at, "train")
    given = at.operand("input")
    return a_probability(at, "p", given.to(at.k, given.dtype))


def _rrelu(at: At) -> Scalar:
    _check_not_random(at, "training")
    dtype, (value,) = at.floating("self")
    low, high = at.number("lower", dtype), at.number("upper", dtype)
    half = at.k.constant(0.5, value.dtype)
    sum = at.apply("add", low, high)
    is_range = at.apply("logical_and", at.apply("isfinite", sum), at.apply("le", low, high))
    slope = at.apply("mul", at.apply("checked", sum, is_range), half)
    return at.k.cast(at.apply("leaky_relu", value, slope), dtype)


def _prelu(at: At) -> Scalar:
    """`weight` has one element, or one for each index of the second dimension."""
    shape, weight = at.shape("self"), at.shape("weight")
    if len(weight) > 1:
        raise at.refuse("shape", f"with a weight of shape {weight}")
    views = []
    if len(weight) == 1 and len(shape) > 2:
        views = [View("aten::unsqueeze", (1 + dim,)) for dim in range(len(shape) - 2)]
    dtype, (value,) = at.floating("self")
    slope = at.operand("weight", *views)
    if slope.dtype != dtype:
        raise at.refuse_dtype(slope.dtype)
    return at.k.cast(at.apply("prelu", value, slope.widened(at.k, dtype)), dtype)


def _halves(at: At) -> tuple[View, View]:
    dim = at.dim("dim", at.rank())
    return View("aten::chunk", (2, dim), 0, 2), View("aten::chunk", (2, dim), 1, 2)


def _glu(at: At) -> Scalar:
    value, gate = [at.operand("self", half) for half in _halves(at)]
    if not value.dtype.is_floating_point:
        raise at.refuse_dtype(value.dtype)
    wide = [operand.widened(at.k, value.dtype) for operand in (value, gate)]
    return at.k.cast(at.apply("mul", wide[0], at.apply("sigmoid", wide[1])), value.dtype)


def _half_shape(at: At) -> tuple[int, ...]:
    shape, dim = at.shape("self"), at.dim("dim", at.rank())
    if not shape or shape[dim] % 2:
        raise at.refuse("shape", f"of shape {shape}")
    return (*shape[:dim], shape[dim] // 2, *shape[dim + 1 :])


_DROPOUT = Lowering(_dropout, of_first, may_alias=True, strides=rules.first_itself)

ACTIVATIONS: dict[str, Lowering] = {
    "aten::gelu": Lowering(_gelu, of_first),
    "aten::hardtanh": Lowering(_hardtanh, of_first, strides=rules.like_first),
    "aten::dropout": _DROPOUT,
    "aten::feature_dropout": _DROPOUT,
    "aten::alpha_dropout": _DROPOUT,
    "aten::feature_alpha_dropout": _DROPOUT,
    "aten::rrelu": Lowering(_rrelu, of_first, strides=rules.contiguous),
    "aten::prelu": Lowering(_prelu, of_first, strides=rules.like_first),
    "aten::glu": Lowering(_glu, _half_shape, strides=rules.halves, laid_by_parts=True),
    "aten::silu": activation("silu"),
    "aten::mish": activation("mish"),
    "aten::selu": activation("selu"),
    "aten::hardswish": activation("hardswish"),
    "aten::hardsigmoid": activation("hardsigmoid"),
    "aten::log_sigmoid": activation("log_sigmoid", strides=rules.contiguous),
    "aten::elu": activation("elu", "alpha", "scale", "input_scale"),
    "aten::celu": activation("celu", "alpha", check=invertible),
    "aten::leaky_relu": activation("leaky_relu", "negative_slope"),
    "aten::softplus": activation("softplus", "beta", "threshold"),
    "aten::softshrink": activation("softshrink", "lambd", check=in_range),
    "aten::hardshrink": activation("hardshrink", "lambd", rounded="lambd"),
    "aten::threshold": activation("threshold", "threshold", "value", rounded="value"),
}
