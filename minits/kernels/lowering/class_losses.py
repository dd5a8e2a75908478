"""The cross entropy of classes: the logarithm of the softmax at the class that is named, negated.

    cross_entropy_loss(x, target)[n]    is    log(sum(exp(x[n]))) - x[n, target[n]]
    nll_loss_nd(x, target)[n]           is    -x[n, target[n]]

of x [N, C] and target [N], or x [N, C, d...] and target [N, d...], where the classes are taken for
the last dimension. The element at the target is a sum over the row of what is zero elsewhere.
Targets of x's own shape are probabilities. Eager raises where a target is no class: so does a
kernel on the CPU; on CUDA it gives NaN there.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import torch

from minits.ir.graph import Value
from minits.kernels.ir.kernel import Scalar
from minits.kernels.lowering.promotion import Shape
from minits.kernels.lowering.reductions import total
from minits.kernels.lowering.result import View
from minits.kernels.lowering.row import At, Lowering
from minits.kernels.lowering.spaces import IndexMap, IterationSpace

FEW_CLASSES = 32
"""Classes up to which reading all of a row to find one element is not slower than torch."""


def fewest(at: At) -> int:
    """Elements from which on kernels are faster than torch, forward and backward, as measured.

    Torch computes the cross entropy of classes by one loop over rows, what is smoothed or of
    probabilities by several. Classes that are not the last dimension lie apart in memory.
    """
    of_logarithms = at.node.inputs[0].node.kind == "aten::log_softmax"
    is_lookup = at.node.kind == "aten::nll_loss_nd" and not of_logarithms
    if at.rank() > 2:
        return 1 << 16 if is_lookup else 1 << 21
    if at.constant("label_smoothing", 0.0) != 0:
        return 0
    if is_lookup or at.shape("target") == at.shape("self"):
        return 1 << 15
    return 1 << 17 if at.has("weight") else 1 << 16


def _check(at: At) -> int:
    """Return the number of dimensions that are reduced over. Raises NotFusable without a kernel."""
    shape, target = at.shape("self"), at.shape("target")
    if not shape or target not in (shape, _rows(at)):
        raise at.refuse("shape", f"of shape {shape} at classes of shape {target}")
    if at.has("weight"):
        _check_weight(at)
    _check_size(at, shape)
    if at.constant("reduction") != 0:
        raise at.refuse("reduction", "reduces over all rows after reducing each")
    return 1


def _check_size(at: At, shape: Shape) -> None:
    """Refuse what torch does faster: means and sums of few elements, rows that lie apart."""
    least = fewest(at)
    if (at.constant("reduction") != 0 or len(shape) > 2) and math.prod(shape) < least:
        raise at.refuse("too-small", f"of fewer than {least} elements is faster in torch")
    if len(shape) > 2 and shape[1] > FEW_CLASSES:
        raise at.refuse("shape", f"of {shape[1]} classes that lie apart is faster in torch")


def _check_weight(at: At) -> None:
    weight = at.argument("weight")
    assert weight is not None
    if at.shape("weight") != _over(at)[-1:]:
        raise at.refuse("shape", f"with weights of shape {at.shape('weight')}")
    meta = at.lowerer.leaves.get(weight)
    if meta is None or meta.requires_grad:
        raise at.refuse("not-elementwise", "with weights that are computed has no kernel")


def _check_lookup(at: At) -> int:
    """Do `_check`, and refuse to look up in many classes of a tensor that lies in memory."""
    reduced, value = _check(at), at.argument("self")
    if at.shape("target") != _rows(at):
        raise at.refuse("shape", "of targets that are no classes")
    if _over(at)[-1] > FEW_CLASSES and value is not None and not _is_made(value):
        raise at.refuse("not-elementwise", "of what is in memory is a look-up, which torch does")
    return reduced


def _is_made(value: Value) -> bool:
    """Return whether a value is computed, or a row seen many times."""
    return value.node.kind not in ("prim::Param", "prim::GetAttr", "prim::Constant")


def _views(at: At) -> tuple[View, ...]:
    """Return the views that put the classes last."""
    rank = at.rank()
    return (View("aten::permute", ((0, *range(2, rank), 1),)),) if rank > 2 else ()


def _rows(at: At) -> Shape:
    shape = at.shape("self")
    return shape[:1] + shape[2:] if len(shape) > 1 else ()


def _over(at: At) -> Shape:
    return _rows(at) + at.shape("self")[1 if at.rank() > 1 else 0 :][:1]


def _score(at: At) -> Scalar:
    given = at.operand("self", *_views(at))
    if not given.dtype.is_floating_point:
        raise at.refuse_dtype(given.dtype)
    return given.widened(at.k, given.dtype)


def _dtype(at: At) -> torch.dtype:
    return at.operand("self", *_views(at)).dtype


def _weight(at: At, like: Scalar) -> Scalar | None:
    """The weight of each class."""
    if not at.has("weight"):
        return None
    weight = at.operand("weight")
    if weight.dtype != _dtype(at):
        raise at.refuse_dtype(weight.dtype)
    return weight.to(at.k, like.dtype)


def _cross_entropy(at: At) -> Scalar:
    """One loss a row."""
    value = _score(at)
    shifted = at.apply("sub", value, at.apply("detach", at.k.reduce("max", value)))
    normaliser = at.apply("log", total(at, at.apply("exp", shifted)))
    each = at.apply("sub", normaliser, shifted)
    smoothing = at.constant("label_smoothing")
    if not 0 <= smoothing <= 1:
        raise at.refuse("not-elementwise", f"has no smoothing of {smoothing}")
    if at.shape("target") == at.shape("self"):
        return at.k.cast(_at_probabilities(at, each, smoothing), _dtype(at))
    loss = _at_class(at, lambda chosen: at.apply("sub", normaliser, chosen), shifted)
    if smoothing != 0:
        weighted, named = _times(at, each, _weight(at, each)), _named(at)
        smooth = _unless_ignored(at, named, total(at, weighted))
        loss = at.apply("mul", loss, at.k.constant(1 - smoothing, loss.dtype))
        loss = at.apply("add", loss, at.apply("mul", smooth, _share(at, smoothing, loss)))
    return at.k.cast(loss, _dtype(at))


def _nll(at: At) -> Scalar:
    value = _score(at)
    return at.k.cast(_at_class(at, lambda chosen: at.apply("neg", chosen), value), _dtype(at))


def _share(at: At, smoothing: float, like: Scalar) -> Scalar:
    """Return the share of the smoothing that each class gets."""
    return at.apply("div", at.k.constant(smoothing, like.dtype), at.k.count(like.dtype))


def _at_probabilities(at: At, each: Scalar, smoothing: float) -> Scalar:
    target = at.operand("target", *_views(at))
    if target.dtype != _dtype(at):
        raise at.refuse_dtype(target.dtype)
    expected = target.to(at.k, each.dtype)
    if smoothing != 0:
        expected = at.apply("mul", expected, at.k.constant(1 - smoothing, each.dtype))
        expected = at.apply("add", expected, _share(at, smoothing, each))
    return total(at, _times(at, at.apply("mul", each, expected), _weight(at, each)))


def _times(at: At, value: Scalar, weight: Scalar | None) -> Scalar:
    return value if weight is None else at.apply("mul", value, weight)


# ---- What stands at the target -------------------------------------------------------------------


def _at_class(at: At, loss_of: Callable[[Scalar], Scalar], value: Scalar) -> Scalar:
    """`loss_of` the element at the target, by the class's weight; zero where it is ignored."""
    named, k = _checked(at, _named(at)), at.k
    zero, nan = k.constant(0.0, value.dtype), k.constant(math.nan, value.dtype)
    is_it = at.apply("eq", k.index(), named)
    loss = loss_of(total(at, at.apply("where", is_it, value, zero)))
    weight = _weight(at, value)
    if weight is not None:
        loss = at.apply("mul", loss, total(at, at.apply("where", is_it, weight, zero)))
    return _unless_ignored(at, named, at.apply("where", _is_class(at, named), loss, nan))


def _named(at: At) -> Scalar:
    target = At(at.lowerer, at.node, IndexMap(IterationSpace.ROWS)).operand("target")
    if target.dtype != torch.int64:
        raise at.refuse_dtype(target.dtype)
    return target.to(at.k, torch.int64)


def _checked(at: At, named: Scalar) -> Scalar:
    """Eager raises an error for what is no class and not ignored."""
    may_be = at.apply("logical_or", _is_class(at, named), _is_ignored(at, named))
    return at.apply("checked", named, may_be)


def _is_ignored(at: At, named: Scalar) -> Scalar:
    return at.apply("eq", named, at.operand("ignore_index").to(at.k, torch.int64))


def _unless_ignored(at: At, named: Scalar, loss: Scalar) -> Scalar:
    return at.apply("where", _is_ignored(at, named), at.k.constant(0.0, loss.dtype), loss)


def _is_class(at: At, named: Scalar) -> Scalar:
    count = at.k.count(torch.int64)
    is_not_below = at.apply("ge", named, at.k.constant(0, torch.int64))
    return at.apply("logical_and", is_not_below, at.apply("lt", named, count))


CLASS_LOSSES: dict[str, Lowering] = {
    "aten::cross_entropy_loss": Lowering(
        _cross_entropy, _rows, _check, _over, is_row=True, loops=2
    ),
    "aten::nll_loss_nd": Lowering(_nll, _rows, _check_lookup, _over, is_row=True),
}
