"""Scans along the last dimension.

Of a half type they are accumulated in float32 and rounded; a tensor of no dimensions is what it is.
"""

from __future__ import annotations

from collections.abc import Callable

import torch

from minits.kernels.ir.kernel import Scalar
from minits.kernels.lowering import stride_rules as rules
from minits.kernels.lowering.casts import dtype_argument
from minits.kernels.lowering.reductions import trailing
from minits.kernels.lowering.row import At, Lowering, of_first


def _last(at: At) -> int:
    """Return the number of scanned dimensions: one, the last, or none if there are none."""
    rank = at.rank()
    if rank == 0 and at.constant("dim") in (0, -1):
        return 0
    return trailing([at.dim("dim", rank)], rank, at)


def _scanned(at: At, op: str, value: Scalar) -> Scalar:
    return at.k.scan(op, value) if _last(at) else value


def _accumulated(op: str) -> Lowering:
    """`cumsum` and `cumprod`: the operand is cast first, integers to int64."""

    def emit(at: At) -> Scalar:
        given = at.operand("self")
        is_floating = given.dtype.is_floating_point
        dtype = dtype_argument(at) or (given.dtype if is_floating else torch.int64)
        if dtype == torch.bool:
            raise at.refuse_dtype(dtype)
        return _scanned(at, op, given.to(at.k, dtype))

    return scan(emit)


def _logcumsumexp(at: At) -> Scalar:
    given = at.operand("self")
    if not given.dtype.is_floating_point:
        raise at.refuse_dtype(given.dtype)
    return _scanned(at, "logcumsumexp", given.to(at.k, given.dtype))


def _extreme(op: str) -> Lowering:
    """The extremes so far. To say where each was met takes another scan: torch is faster."""

    def emit(at: At) -> Scalar:
        if at.index:
            raise at.refuse("too-small", "of which the indices are used is faster in torch")
        given = at.operand("self")
        dtype = torch.uint8 if given.dtype == torch.bool else given.dtype
        return at.k.cast(_scanned(at, op, given.to(at.k, dtype)), given.dtype)

    return scan(emit)


def scan(emit: Callable[[At], Scalar]) -> Lowering:
    return Lowering(emit, of_first, _last, strides=rules.contiguous)


SCANS: dict[str, Lowering] = {
    "aten::cumsum": _accumulated("cumsum"),
    "aten::cumprod": _accumulated("cumprod"),
    "aten::logcumsumexp": scan(_logcumsumexp),
    "aten::cummax": _extreme("cummax"),
    "aten::cummin": _extreme("cummin"),
}
