"""Losses: an elementwise function of two tensors, and its mean or sum over all elements."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable
from functools import partial

import torch

from minits.kernels.ir.kernel import Scalar
from minits.kernels.lowering import stride_rules as rules
from minits.kernels.lowering.checks import (
    between_0_and_1,
    fitting,
    not_below_zero,
    not_bool,
    of_one_dtype,
)
from minits.kernels.lowering.promotion import Shape
from minits.kernels.lowering.reductions import average, total
from minits.kernels.lowering.row import At, Lowering, StrideRule, of_tensors
from minits.kernels.scalar_ops.row import computed_in

NONE, MEAN, SUM = 0, 1, 2

Elementwise = Callable[[At, torch.dtype, list[Scalar]], Scalar]


def loss(
    emit: Elementwise,
    *extra: str,
    names: tuple[str, str] = ("self", "target"),
    is_wide: bool = False,
    one_dtype: bool = False,
    loops: int = 1,
    strides: StrideRule = rules.plainly,
) -> Lowering:
    """A loss of the tensors `names` and, where they are given, `extra`.

    If `one_dtype`, tensors of two dtypes are left to eager, whose result is then of either.

    `emit` gets the promoted dtype and the two tensors: in that dtype, or, if `is_wide`, in the
    dtype that it is computed in.
    """
    over = of_tensors(*names, *extra)

    def at_each(at: At) -> Scalar:
        dtype, operands = at.floating(*names)
        k = at.k
        if one_dtype:
            of_one_dtype(at, *names)
        if not is_wide:
            operands = [k.cast(operand, dtype) for operand in operands]
        each = k.cast(emit(at, dtype, operands), dtype)
        how = at.constant("reduction")
        if how == NONE or not over(at):
            return each
        wide = k.cast(each, computed_in(dtype))
        return k.cast(average(at, wide) if how == MEAN else total(at, wide), dtype)

    def shape(at: At) -> Shape:
        return over(at) if at.constant("reduction") == NONE else ()

    def reduces(at: At) -> int:
        return 0 if at.constant("reduction") == NONE else len(over(at))

    return Lowering(
        at_each, shape, reduces, over, is_row=True, loops=loops, strides=rules.of_loss(strides)
    )


def _in_shape_of(at: At, *names: str) -> None:
    """Raise NotFusable unless tensors have the shape of the loss: eager writes it to copies."""
    shape = of_tensors("self", "target", "weight", "pos_weight")(at)
    for name in names:
        if at.shape(name) != shape:
            raise at.refuse("shape", f"of {name} of shape {at.shape(name)} for a loss of {shape}")


def _number(at: At, value: float, like: Scalar) -> Scalar:
    return at.k.constant(value, like.dtype)


def _distance(at: At, operands: list[Scalar]) -> Scalar:
    """The difference of `self` and `target`, or of the two inputs."""
    return at.apply("sub", *operands)


def _mse(at: At, dtype: torch.dtype, operands: list[Scalar]) -> Scalar:
    distance = _distance(at, operands)
    return at.apply("mul", distance, distance)


def _l1(at: At, dtype: torch.dtype, operands: list[Scalar]) -> Scalar:
    not_bool(at, "self", "target")
    return at.apply("abs", _distance(at, operands))


def _smooth_l1(at: At, dtype: torch.dtype, operands: list[Scalar]) -> Scalar:
    """`z^2 / (2 beta)` below beta, `z - beta / 2` above; the slope is torch's own formula."""
    distance = _distance(at, operands)
    if at.constant("beta", None) == 0:
        not_bool(at, "self", "target")
        return at.apply("abs", distance)
    size = at.apply("abs", distance)
    beta, half = at.number("beta", dtype), _number(at, 0.5, size)
    square = at.apply("div", at.apply("mul", at.apply("mul", half, size), size), beta)
    line = at.apply("sub", size, at.apply("mul", half, beta))
    loss = at.apply("where", at.apply("lt", size, beta), square, line)
    is_line = at.apply("ge", size, beta)
    slope = at.apply("where", is_line, at.apply("sgn", distance), at.apply("div", distance, beta))
    return not_below_zero(at, "beta", at.sloped(loss, (distance, slope)))


def _huber(at: At, dtype: torch.dtype, operands: list[Scalar]) -> Scalar:
    """`z^2 / 2` below delta, `delta (z - delta / 2)` above; the slope is torch's own formula."""
    distance = _distance(at, operands)
    size, delta = at.apply("abs", distance), at.number("delta", dtype)
    half = _number(at, 0.5, size)
    square = at.apply("mul", at.apply("mul", half, size), size)
    line = at.apply("mul", delta, at.apply("sub", size, at.apply("mul", half, delta)))
    loss = at.apply("where", at.apply("lt", size, delta), square, line)
    slope = at.apply("hardtanh", distance, at.apply("neg", delta), delta)
    return not_below_zero(at, "delta", at.sloped(loss, (distance, slope)), or_zero=False)


def _kl_div(at: At, dtype: torch.dtype, operands: list[Scalar]) -> Scalar:
    value, target = operands
    of_one_dtype(at, "self", "target")
    if at.constant("log_target", False):
        return at.apply("mul", at.apply("exp", target), at.apply("sub", target, value))
    return at.apply("sub", at.apply("xlogy", target, target), at.apply("mul", target, value))


def _soft_margin(at: At, dtype: torch.dtype, operands: list[Scalar]) -> Scalar:
    value, target = operands
    _in_shape_of(at, "self")
    product = at.apply("mul", at.apply("neg", value), target)
    return at.apply("log1p", at.apply("exp", product))


def _poisson(at: At, dtype: torch.dtype, operands: list[Scalar]) -> Scalar:
    """`exp(value) - target value`, or `value - target log(value + eps)`; more if `full`."""
    value, target = operands
    _check_counts(at, dtype)
    if at.constant("log_input"):
        each = at.apply("sub", at.apply("exp", value), at.apply("mul", target, value))
    else:
        logarithm = at.apply("log", at.apply("add", value, at.number("eps", dtype)))
        each = at.apply("sub", value, at.apply("mul", target, logarithm))
    return at.apply("add", each, _stirling(at, target)) if at.constant("full") else each


def _check_counts(at: At, dtype: torch.dtype) -> None:
    """Raise NotFusable unless the input has the result's dtype; the target may be of integers."""
    not_bool(at, "input", "target")
    target = at.operand("target").dtype
    if at.operand("input").dtype != dtype or (target.is_floating_point and target != dtype):
        raise at.refuse("dtype", "of two dtypes has no kernel")


def _stirling(at: At, target: Scalar) -> Scalar:
    """Stirling's approximation of the logarithm of the factorial, for targets above one."""
    turn, half, one = (_number(at, each, target) for each in (2 * math.pi, 0.5, 1.0))
    term = at.apply("sub", at.apply("mul", target, at.apply("log", target)), target)
    rest = at.apply("mul", half, at.apply("log", at.apply("mul", turn, target)))
    zero = _number(at, 0.0, target)
    return at.apply("where", at.apply("le", target, one), zero, at.apply("add", term, rest))


# ---- Cross entropies of two classes --------------------------------------------------------------


def _weighted(at: At, dtype: torch.dtype, each: Scalar) -> Scalar:
    if not at.has("weight"):
        return each
    return at.apply("mul", each, at.operand("weight").to(at.k, each.dtype))


def _bce(at: At, dtype: torch.dtype, operands: list[Scalar]) -> Scalar:
    """Logarithms are at least -100, but not in derivatives: those are torch's own formulas.

    Eager raises where a tensor is not between 0 and 1.
    """
    value, target = [between_0_and_1(at, operand) for operand in operands]
    least, one = _number(at, -100.0, value), _number(at, 1.0, value)
    missed, hit = at.apply("log1p", at.apply("neg", value)), at.apply("log", value)
    right = at.apply("mul", target, at.apply("clamp_min", hit, least))
    wrong = at.apply("mul", at.apply("sub", target, one), at.apply("clamp_min", missed, least))
    by_value, by_target = _bce_slope(at, value, target), at.apply("sub", missed, hit)
    each = at.sloped(at.apply("sub", wrong, right), (value, by_value), (target, by_target))
    return _weighted(at, dtype, each)


EPSILON = struct.unpack("f", struct.pack("f", 1e-12))[0]
"""The least spread: in torch this is a float, even for tensors of doubles."""


def _bce_slope(at: At, value: Scalar, target: Scalar) -> Scalar:
    """The derivative by `self`: (self - target) / (self * (1 - self)), which stays finite.

    In float16 the least spread is zero, and the sign of what is zero anyway is kept.
    """
    rest, least = at.apply("sub", _number(at, 1.0, value), value), _number(at, EPSILON, value)
    spread = at.apply("mul", rest, value)
    spread = at.apply("where", at.apply("lt", spread, least), least, spread)
    return at.apply("div", at.apply("sub", value, target), spread)


def _bce_with_logits(at: At, dtype: torch.dtype, operands: list[Scalar]) -> Scalar:
    """`(1 - target) self - log sigmoid(self)`, the latter weighted where there is a weight."""
    value, target = operands
    _in_shape_of(at, "self", "target")
    one = _number(at, 1.0, value)
    hit = at.k.cast(at.apply("log_sigmoid", at.k.cast(value, computed_in(dtype))), dtype)
    missed = at.apply("mul", at.apply("sub", one, target), value)
    if at.has("pos_weight"):
        of_one_dtype(at, "self", "pos_weight")
        weight = at.operand("pos_weight").to(at.k, dtype)
        scale = at.apply("add", at.apply("mul", at.apply("sub", weight, one), target), one)
        hit = at.apply("mul", scale, hit)
    return _weighted(at, dtype, at.apply("sub", missed, hit))


# ---- Margins -------------------------------------------------------------------------------------


def _hinge_embedding(at: At, dtype: torch.dtype, operands: list[Scalar]) -> Scalar:
    value, target = operands
    if at.operand("self").dtype != dtype:  # the target's dtype does not matter
        raise at.refuse("dtype", "of these dtypes has no kernel")
    zero, one = _number(at, 0.0, value), _number(at, 1.0, value)
    margin = fitting(at, at.operand("margin"), dtype)
    margin = at.apply("clamp_min", at.apply("sub", margin, value), zero)
    apart = at.apply("where", at.apply("ne", target, one), margin, zero)
    minus = at.apply("ne", target, _number(at, -1.0, value))
    return at.apply("add", apart, at.apply("where", minus, value, zero))


def _margin_ranking(at: At, dtype: torch.dtype, operands: list[Scalar]) -> Scalar:
    if len({at.rank(name) for name in ("input1", "input2", "target")}) > 1:
        raise at.refuse("shape", "of tensors of several ranks")
    not_bool(at, "input1", "input2")
    distance = _distance(at, operands)
    target = at.operand("target").to(at.k, distance.dtype)
    lost = at.apply("mul", at.apply("neg", target), distance)
    lost = at.apply("add", lost, at.operand("margin").to(at.k, dtype))
    return at.apply("clamp_min", lost, _number(at, 0.0, lost))


wide_loss = partial(loss, is_wide=True)

LOSSES: dict[str, Lowering] = {
    "aten::mse_loss": loss(_mse, loops=2, strides=rules.squared),
    "aten::l1_loss": loss(_l1, loops=2, strides=rules.in_two_steps),
    "aten::smooth_l1_loss": wide_loss(_smooth_l1, loops=2, strides=rules.squared),
    "aten::huber_loss": wide_loss(_huber, one_dtype=True, loops=2),
    "aten::kl_div": loss(_kl_div),
    "aten::soft_margin_loss": loss(_soft_margin, one_dtype=True, loops=2),
    "aten::poisson_nll_loss": wide_loss(_poisson, names=("input", "target")),
    "aten::binary_cross_entropy": loss(_bce, "weight", one_dtype=True, strides=rules.like_first),
    "aten::binary_cross_entropy_with_logits": loss(
        _bce_with_logits, "weight", "pos_weight", one_dtype=True, loops=2
    ),
    "aten::hinge_embedding_loss": loss(_hinge_embedding),
    "aten::margin_ranking_loss": loss(_margin_ranking, "target", names=("input1", "input2")),
}
