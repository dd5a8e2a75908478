"""The cross entropy of classes: the logarithm of the softmax at the class that is named, negated.

    cross_entropy_loss(x, target)[n]    is    log(sum(exp(x[n]))) - x[n, target[n]]

of x [N, C] and target [N]. The element at the target is a sum over the row of what is zero
elsewhere. Eager raises where a target is no class; a kernel gives NaN there.
"""

from __future__ import annotations

import math

import torch

from minits.kernels.kernel import Scalar
from minits.kernels.lowering.machine import Frame, Place
from minits.kernels.lowering.promotion import Shape
from minits.kernels.lowering.reductions import total
from minits.kernels.lowering.row import At, Lowering


def _check(at: At) -> int:
    """Return how many dimensions are reduced over. Raises NotFusable for what has no kernel."""
    if at.has("weight") or at.constant("label_smoothing") != 0:
        raise at.refuse("not-elementwise", "with weights or smoothing has no kernel")
    if at.constant("reduction") != 0:
        raise at.refuse("reduction", "reduces over all rows after reducing each")
    shape, target = at.shape("self"), at.shape("target")
    if len(shape) != 2 or target != shape[:1]:
        raise at.refuse("shape", f"of shape {shape} at classes of shape {target}")
    return 1


def _cross_entropy(at: At) -> Scalar:
    """One loss a row, zero where the target is to be ignored."""
    dtype, (value,) = at.floating("self")
    target = At(at.machine, at.node, Place(Frame.ROWS)).operand("target")
    if target.dtype != torch.int64:
        raise at.refuse_dtype(target.dtype)
    k, named = at.k, target.to(at.k, torch.int64)
    zero, nan = k.constant(0.0, value.dtype), k.constant(math.nan, value.dtype)
    shifted = at.apply("sub", value, at.apply("detach", k.reduce("max", value)))
    normaliser = at.apply("log", total(at, at.apply("exp", shifted)))
    chosen = total(at, at.apply("where", at.apply("eq", k.index(), named), shifted, zero))
    loss = at.apply("where", _is_class(at, named), at.apply("sub", normaliser, chosen), nan)
    ignored = at.apply("eq", named, at.operand("ignore_index").to(k, torch.int64))
    return k.cast(at.apply("where", ignored, zero, loss), dtype)


def _is_class(at: At, named: Scalar) -> Scalar:
    count = at.k.count(torch.int64)
    is_not_below = at.apply("ge", named, at.k.constant(0, torch.int64))
    return at.apply("logical_and", is_not_below, at.apply("lt", named, count))


def _rows(at: At) -> Shape:
    return at.shape("self")[:1]


CLASS_LOSSES: dict[str, Lowering] = {
    "aten::cross_entropy_loss": Lowering(_cross_entropy, _rows, _check, is_row=True),
}
