"""Distances and similarities of rows: norms and products of two tensors along the last dimension.

    cosine_similarity(a, b)     sum((a / max(norm(a), eps)) * (b / max(norm(b), eps)))
    pairwise_distance(a, b)     norm(a - b + eps)
    dist(a, b)                  norm(a - b), over all dimensions
    linalg.vecdot(a, b)         sum(a * b)

Each step is rounded to the tensors' dtype, as eager takes them one after the other.
"""

from __future__ import annotations

import torch

from minits.kernels.ir.kernel import Scalar
from minits.kernels.lowering.checks import fitting, not_below_zero, not_bool, of_one_dtype
from minits.kernels.lowering.elementwise import computed
from minits.kernels.lowering.promotion import Operand, Shape, result_type
from minits.kernels.lowering.reductions import norm_of, total, trailing
from minits.kernels.lowering.row import At, Lowering
from minits.kernels.scalar_ops.row import computed_in


def _broadcast(at: At) -> Shape:
    return at.broadcast(at.node.inputs[:2])


def _along(at: At) -> int:
    """One dimension, which must be the last."""
    rank = len(_broadcast(at))
    return trailing([at.dim("dim", rank)], rank, at)


def _along_last(at: At) -> int:
    return trailing([len(_broadcast(at)) - 1], len(_broadcast(at)), at)


def _along_all(at: At) -> int:
    rank = len(_broadcast(at))
    return trailing(list(range(rank)), rank, at)


def _rows(at: At) -> Shape:
    shape = _broadcast(at)
    return (*shape[:-1], 1) if at.constant("keepdim", False) else shape[:-1]


def _pair(at: At, *names: str) -> tuple[torch.dtype, list[Operand]]:
    """The common dtype of two tensors, which must be floating, and the tensors."""
    operands = [at.operand(name) for name in names]
    dtype = result_type(operands)
    if not dtype.is_floating_point:
        raise at.refuse_dtype(dtype)
    return dtype, operands


def _rounded_norm(at: At, value: Scalar, order: float) -> Scalar:
    """The norm of a value, computed in what its dtype is computed in, and rounded once."""
    wide = at.k.cast(value, computed_in(value.dtype))
    return at.k.cast(norm_of(at, wide, order), value.dtype)


def _direction(at: At, value: Scalar) -> Scalar:
    """A row divided by its norm, or by `eps` if that is larger.

    To autograd it is the norm: eager bounds it where no gradients are recorded.
    """
    k, norm = at.k, _rounded_norm(at, value, 2.0)
    eps = fitting(at, at.operand("eps"), computed_in(value.dtype))
    bounded = at.apply("clamp_min", norm, k.cast(eps, value.dtype))
    return at.apply("div", value, at.sloped(bounded, (norm, k.constant(1.0, value.dtype))))


def _cosine_similarity(at: At) -> Scalar:
    dtype, operands = _pair(at, "x1", "x2")
    of_one_dtype(at, "x1", "x2")
    one, other = [_direction(at, operand.to(at.k, dtype)) for operand in operands]
    product = at.apply("mul", one, other)
    similarity = at.k.cast(total(at, at.k.cast(product, computed_in(dtype))), dtype)
    return not_below_zero(at, "eps", similarity)


def _pairwise_distance(at: At) -> Scalar:
    dtype, operands = _pair(at, "x1", "x2")
    not_bool(at, "x1", "x2")
    difference = computed(at, "sub", operands, dtype)
    moved = Operand(dtype, _broadcast(at), difference)
    value = computed(at, "add", [moved, at.operand("eps")], dtype)
    return _rounded_norm(at, value, float(at.constant("p")))


def _dist(at: At) -> Scalar:
    dtype, operands = _pair(at, "self", "other")
    not_bool(at, "self", "other")
    return _rounded_norm(at, computed(at, "sub", operands, dtype), float(at.constant("p")))


def _vecdot(at: At) -> Scalar:
    """The sum of products, each of them rounded.

    Of two vectors it is eager's `vdot`, which rounds the sum alone and takes no two lengths.
    """
    dtype, operands = _pair(at, "x", "y")
    of_one_dtype(at, "x", "y")
    wide = computed_in(dtype)
    are_vectors = at.rank("x") == at.rank("y") == 1
    if are_vectors and at.shape("x") != at.shape("y"):
        raise at.refuse("shape", f"of vectors of shapes {at.shape('x')} and {at.shape('y')}")
    product = computed(at, "mul", operands, wide if are_vectors else dtype)
    return at.k.cast(total(at, at.k.cast(product, wide)), dtype)


DISTANCES: dict[str, Lowering] = {
    "aten::cosine_similarity": Lowering(
        _cosine_similarity, _rows, _along, _broadcast, is_row=True, loops=2
    ),
    "aten::pairwise_distance": Lowering(
        _pairwise_distance, _rows, _along_last, _broadcast, is_row=True, loops=2
    ),
    "aten::dist": Lowering(_dist, lambda at: (), _along_all, _broadcast, is_row=True, loops=2),
    "aten::linalg_vecdot": Lowering(_vecdot, _rows, _along, _broadcast, is_row=True, loops=2),
}
