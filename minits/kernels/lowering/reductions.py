"""Reductions over the last dimensions, or over all.

Sums in half types are made in float32 and rounded once.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import torch

from minits.kernels.ir.kernel import Scalar, Sharing
from minits.kernels.lowering.casts import dtype_argument
from minits.kernels.lowering.promotion import Shape, as_floating
from minits.kernels.lowering.row import At, Lowering
from minits.kernels.scalar_ops.row import computed_in


def dims_of(at: At, rank: int) -> list[int]:
    """The dimensions that are reduced over: those given, or all. Raises `NotFusable`."""
    given = at.constant("dim")
    if given is None or given == []:
        return list(range(rank))
    dims = [given] if isinstance(given, int) else list(given)
    found = {dim % rank for dim in dims if -rank <= dim < rank}
    if len(found) < len(dims):
        raise at.refuse("reduction", f"over dimensions {dims} of {rank}")
    return sorted(found)


def trailing(dims: list[int], rank: int, at: At) -> int:
    """Return the number of `dims`, the last dimensions. Raises NotFusable if they are others."""
    if not rank or dims != list(range(rank - len(dims), rank)):
        raise at.refuse("reduction", f"over dimensions {dims} of {rank}, which are not the last")
    return len(dims)


def _reduces(at: At) -> int:
    rank = len(at.lowerer.shape(at.node.inputs[0]))
    return trailing(dims_of(at, rank), rank, at)


def _shape(at: At) -> Shape:
    shape = at.lowerer.shape(at.node.inputs[0])
    dims = dims_of(at, len(shape))
    if at.constant("keepdim", False):
        return tuple([1 if dim in dims else size for dim, size in enumerate(shape)])
    return tuple([size for dim, size in enumerate(shape) if dim not in dims])


def reduction(emit: Callable[[At], Scalar], loops: int = 1) -> Lowering:
    return Lowering(emit, _shape, _reduces, is_row=True, loops=loops)


# ---- Sums ----------------------------------------------------------------------------------------


def total(at: At, value: Scalar) -> Scalar:
    return at.k.reduce("sum", value)


def average(at: At, value: Scalar) -> Scalar:
    """The mean over the reduced dimensions, in a floating dtype that is computed in."""
    return at.apply("div", at.k.reduce("sum", value), at.k.count(value.dtype))


def centred(at: At, value: Scalar) -> Scalar:
    return at.apply("sub", value, average(at, value))


def variance(at: At, value: Scalar, correction: Scalar | None = None) -> Scalar:
    """The mean square of the distances from the mean: of two passes, as exact as Welford's."""
    distance = centred(at, value)
    squares = at.k.reduce("sum", at.apply("mul", distance, distance))
    count = at.k.count(value.dtype)
    if correction is not None:
        degrees = at.apply("sub", count, correction)
        count = at.apply("clamp_min", degrees, at.k.constant(0.0, value.dtype))
    return at.apply("div", squares, count)


def _summed(reduce: str) -> Lowering:
    """`sum` and `prod`: integers become int64."""

    def emit(at: At) -> Scalar:
        dtype = _summed_dtype(at)
        value = at.operand("self").widened(at.k, dtype)
        return at.k.cast(at.k.reduce(reduce, value), dtype)

    return reduction(emit)


def _mean(at: At) -> Scalar:
    given = at.operand("self")
    dtype = dtype_argument(at) or given.dtype
    if not dtype.is_floating_point:
        raise at.refuse_dtype(dtype)
    return at.k.cast(average(at, given.widened(at.k, dtype)), dtype)


def _nansum(at: At) -> Scalar:
    """The sum without NaN; integers become int64."""
    return at.k.cast(_sum_of_numbers(at), _summed_dtype(at))


def _summed_dtype(at: At) -> torch.dtype:
    given = at.operand("self").dtype
    dtype = dtype_argument(at) or (given if given.is_floating_point else torch.int64)
    if dtype == torch.bool:
        raise at.refuse_dtype(dtype)
    return dtype


def _sum_of_numbers(at: At) -> Scalar:
    dtype, k = _summed_dtype(at), at.k
    value = at.operand("self").widened(k, dtype)
    if not dtype.is_floating_point:
        return total(at, value)
    zero = k.constant(0.0, value.dtype)
    return total(at, at.apply("where", at.apply("isnan", value), zero, value))


def _nanmean(at: At) -> Scalar:
    """The sum and the count are rounded to the dtype before they are divided, as in eager."""
    given, k = at.operand("self"), at.k
    dtype = dtype_argument(at) or given.dtype
    if not given.dtype.is_floating_point or not dtype.is_floating_point:
        raise at.refuse_dtype(dtype)
    is_number = at.apply("logical_not", at.apply("isnan", given.to(k, given.dtype)))
    count = total(at, k.cast(is_number, torch.int64))
    return at.apply("div", k.cast(_sum_of_numbers(at), dtype), k.cast(count, dtype))


def _spread(at: At) -> tuple[torch.dtype, Scalar, Scalar]:
    """The dtype of `var` and `std`, the operand and the variance in float64, as in eager."""
    dtype, (value,) = at.floating("self")
    value = at.k.cast(value, torch.float64)
    correction = at.constant("correction", None)
    if correction is None:
        correction = 1 if at.constant("unbiased", True) else 0
    if math.isnan(correction):
        raise at.refuse("reduction", "with a correction of NaN has no kernel")
    corrected = at.k.constant(float(correction), value.dtype)
    found = variance(at, value, corrected)
    has_freedom = at.apply("gt", at.k.count(value.dtype), corrected)
    return dtype, value, at.apply("checked", found, has_freedom)  # else eager warns


def _var(at: At) -> Scalar:
    dtype, _, found = _spread(at)
    return at.k.cast(found, dtype)


def _std(at: At) -> Scalar:
    dtype, _, found = _spread(at)
    return at.k.cast(root(at, found), dtype)


def _with_mean(first: Callable[[At], Scalar]) -> Lowering:
    """`var_mean` and `std_mean`."""

    def emit(at: At) -> Scalar:
        if at.index == 0:
            return first(at)
        dtype, value, _ = _spread(at)
        return at.k.cast(average(at, value), dtype)

    return reduction(emit)


# ---- Extremes ------------------------------------------------------------------------------------


def _extreme(at: At, reduce: str, sharing: Sharing = Sharing.ALL) -> Scalar:
    given = at.operand("self")
    value = given.to(at.k, given.dtype)
    if given.dtype == torch.bool:
        return at.k.reduce({"max": "any", "min": "all"}[reduce], value)
    return at.k.reduce(reduce, value, None if sharing is Sharing.ALL else sharing)


def _position(at: At, reduce: str) -> Scalar:
    given = at.operand("self")
    if given.dtype == torch.bool:
        raise at.refuse_dtype(given.dtype)
    return at.k.reduce(f"arg{reduce}", given.to(at.k, given.dtype))


def _max_or_min(op: str) -> Lowering:
    """`max` or `min` of two tensors, over all dimensions, or over one with the positions."""

    def emit(at: At) -> Scalar:
        if at.argument("other") is not None:
            row = at.lowerer.table[f"aten::{op}imum"]
            assert row.emit is not None
            return row.emit(at)
        if at.index:
            return _position(at, op)
        return _extreme(at, op, Sharing.SAME if at.argument("dim") is None else Sharing.FIRST)

    def shape(at: At) -> Shape:
        return (
            at.broadcast(list(at.node.inputs)) if at.argument("other") is not None else _shape(at)
        )

    def reduces(at: At) -> int:
        return 0 if at.argument("other") is not None else _reduces(at)

    return Lowering(emit, shape, reduces, is_row=True)


def _aminmax(at: At) -> Scalar:
    return _extreme(at, "max" if at.index else "min")


# ---- Truth ---------------------------------------------------------------------------------------


def _truth(reduce: str) -> Lowering:
    def emit(at: At) -> Scalar:
        given = at.operand("self")
        found = at.k.reduce(reduce, given.to(at.k, torch.bool))
        return at.k.cast(found, torch.uint8) if given.dtype == torch.uint8 else found

    return reduction(emit)


def _count_nonzero(at: At) -> Scalar:
    nonzero = at.operand("self").to(at.k, torch.bool)
    return total(at, at.k.cast(nonzero, torch.int64))


# ---- Norms ---------------------------------------------------------------------------------------


def _norm(at: At) -> Scalar:
    order = at.constant("p" if at.argument("ord") is None else "ord", 2)
    given = at.operand("self")
    dtype = dtype_argument(at) or given.dtype
    if not dtype.is_floating_point:
        raise at.refuse_dtype(dtype)
    value = given.widened(at.k, dtype)
    return at.k.cast(norm_of(at, value, float(2 if order is None else order)), dtype)


def _linalg_norm(at: At) -> Scalar:
    """The norm of vectors; two dimensions, or a tensor of two, mean one of matrices: refused."""
    rank = at.rank()
    dims = dims_of(at, rank)
    is_of_matrices = len(dims) == 2 if at.has("dim") else rank == 2
    if (at.has("ord") and is_of_matrices) or isinstance(at.constant("ord"), str):
        raise at.refuse("not-elementwise", "of matrices has no kernel")
    return _norm(at)


def norm_of(at: At, value: Scalar, order: float) -> Scalar:
    """The norm over the reduced dimensions, of any order that the value's dtype holds.

    Raises `NotFusable`.
    """
    if math.isfinite(order) and abs(order) > torch.finfo(value.dtype).max:
        raise at.refuse("reduction", f"of order {order} has no kernel")
    if order == 0:
        return total(at, at.k.cast(at.k.cast(value, torch.bool), value.dtype))
    size = at.apply("abs", value)
    if all(extent == 1 for extent in at.lowerer.domain[-at.lowerer.reduced :]):
        return total(at, size)  # whose square may overflow
    if order == 2:
        return root(at, total(at, at.apply("mul", value, value)))
    if math.isinf(order):
        return at.k.reduce("max" if order > 0 else "min", size)
    if order == 1:
        return total(at, size)
    return _power(at, total(at, _power(at, size, order)), 1 / order)


def root(at: At, value: Scalar) -> Scalar:
    """The square root; at zero its slope is zero, as eager has it for `norm` and `std`."""
    k, found = at.k, at.apply("sqrt", value)
    return _flat_at_zero(at, found, value, at.apply("mul", found, k.constant(2.0, value.dtype)))


def _power(at: At, value: Scalar, exponent: float) -> Scalar:
    """A power of what is not below zero. At zero its slope is zero, even where it is infinite."""
    k = at.k
    found = at.apply("pow", value, k.constant(exponent, value.dtype))
    if exponent > 1:
        return found
    rest = at.apply("pow", value, k.constant(1 - exponent, value.dtype))
    scale = k.constant(1 / exponent, value.dtype)
    return _flat_at_zero(at, found, value, at.apply("mul", rest, scale))


def _flat_at_zero(at: At, found: Scalar, value: Scalar, flatness: Scalar) -> Scalar:
    """`found`, with the slope `1 / flatness` in `value`, but slope zero where `value` is zero."""
    k = at.k
    zero, one = k.constant(0.0, value.dtype), k.constant(1.0, value.dtype)
    slope = at.apply("div", one, flatness)
    slope = at.apply("where", at.apply("eq", value, zero), zero, slope)
    return at.sloped(found, (value, slope))


def _logsumexp(at: At) -> Scalar:
    """`logsumexp` as in eager: several operators, of which each rounds."""
    given = at.operand("self")
    dtype, k = as_floating(given.dtype), at.k
    value = given.to(k, dtype)
    largest = at.apply("detach", k.reduce("max", value))
    infinite = at.apply("eq", at.apply("abs", largest), k.constant(float("inf"), dtype))
    shift = at.apply("where", infinite, k.constant(0.0, dtype), largest)
    powers = at.apply("exp", at.apply("sub", value, shift))
    found = k.cast(total(at, k.cast(powers, computed_in(dtype))), dtype)
    return at.apply("add", at.apply("log", found), shift)


def _extremes(reduce: str) -> Callable[[At], Scalar]:
    return lambda at: _extreme(at, reduce)


def _positions(reduce: str) -> Callable[[At], Scalar]:
    return lambda at: _position(at, reduce)


REDUCTIONS: dict[str, Lowering] = {
    "aten::sum": _summed("sum"),
    "aten::prod": _summed("prod"),
    "aten::nansum": reduction(_nansum),
    "aten::mean": reduction(_mean),
    "aten::nanmean": reduction(_nanmean, loops=2),
    "aten::var": reduction(_var),
    "aten::std": reduction(_std, loops=2),
    "aten::var_mean": _with_mean(_var),
    "aten::std_mean": _with_mean(_std),
    "aten::amax": reduction(_extremes("max")),
    "aten::amin": reduction(_extremes("min")),
    "aten::aminmax": reduction(_aminmax),
    "aten::max": _max_or_min("max"),
    "aten::min": _max_or_min("min"),
    "aten::argmax": reduction(_positions("max")),
    "aten::argmin": reduction(_positions("min")),
    "aten::any": _truth("any"),
    "aten::all": _truth("all"),
    "aten::count_nonzero": reduction(_count_nonzero),
    "aten::norm": reduction(_norm),
    "aten::linalg_vector_norm": reduction(_norm),
    "aten::linalg_norm": reduction(_linalg_norm),
    "aten::logsumexp": reduction(_logsumexp, loops=2),
}
