"""Softmax, and normalisations with their scales and shifts.

They are computed in float32 where the tensor is of a half type, and rounded once at the end.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch

from minits.ir.graph import Value
from minits.kernels.ir.kernel import Scalar
from minits.kernels.lowering import stride_rules as rules
from minits.kernels.lowering.casts import dtype_argument
from minits.kernels.lowering.checks import not_below_zero
from minits.kernels.lowering.promotion import Shape
from minits.kernels.lowering.reductions import average, centred, total, trailing, variance
from minits.kernels.lowering.result import Parts, View
from minits.kernels.lowering.row import At, Lowering, StrideRule, of_first
from minits.kernels.lowering.sizes import Size, size_of
from minits.kernels.scalar_ops.row import computed_in

# ---- Softmax -------------------------------------------------------------------------------------


def _last(at: At) -> int:
    rank = at.rank()
    return trailing([at.dim("dim", rank)], rank, at)


def _to_softmax(at: At) -> tuple[torch.dtype, Scalar]:
    """The result's dtype, and the operand in what it is computed in."""
    given = at.operand("self")
    dtype = dtype_argument(at) or given.dtype
    if not dtype.is_floating_point:
        raise at.refuse_dtype(dtype)
    return dtype, given.to(at.k, computed_in(dtype))


def _largest(at: At, value: Scalar) -> Scalar:
    """The maximum, subtracted so that powers stay finite. It has no gradient: that cancels."""
    return at.apply("detach", at.k.reduce("max", value))


def _softmax(at: At) -> Scalar:
    dtype, value = _to_softmax(at)
    powers = at.apply("exp", at.apply("sub", value, _largest(at, value)))
    return at.k.cast(at.apply("div", powers, total(at, powers)), dtype)


def _log_softmax(at: At) -> Scalar:
    dtype, value = _to_softmax(at)
    shifted = at.apply("sub", value, _largest(at, value))
    normaliser = at.apply("log", total(at, at.apply("exp", shifted)))
    return at.k.cast(at.apply("sub", shifted, normaliser), dtype)


# ---- Over the last dimensions --------------------------------------------------------------------


def _normalized(at: At) -> int:
    """Return the number of dimensions of `normalized_shape`.

    Sizes of it are checked now if they are constants, and in each call if they are a tensor's.
    """
    value = at.argument("normalized_shape")
    assert value is not None
    sizes = _sizes(at, value)
    shape = at.shape("input")
    tail = shape[len(shape) - len(sizes) :]
    if not 0 < len(sizes) <= len(shape) or any(
        size is not None and not isinstance(size, Size) and size != extent
        for size, extent in zip(sizes, tail, strict=True)
    ):
        raise at.refuse("shape", f"over {sizes} of a tensor of shape {shape}")
    for name in ("weight", "bias"):
        if at.has(name) and at.shape(name) != tail:
            raise at.refuse("shape", f"with a {name} of shape {at.shape(name)}")
    for dim, size in enumerate(sizes, -len(sizes)):
        if size is not None:
            at.lowerer.sizes.append((dim, size))
    return len(sizes)


def _sizes(at: At, value: Value) -> list[int | None]:
    """A list of sizes, None for those that are numbers of the call."""
    if value.node.kind == "prim::ListConstruct":
        return [_size(at, item) for item in value.node.inputs]
    return list(at.constant("normalized_shape"))


def _size(at: At, value: Value) -> int | None:
    """One of the sizes: a number, a `Size`, or None for a number of the call.

    Raises NotFusable for one that the group computes of anything else, `[2 * n]`.
    """
    size = size_of(at.lowerer, value)
    if isinstance(size, int):
        return size
    if value not in at.lowerer.leaves and not at.lowerer.is_alone:
        raise at.refuse("not-constant", "over a dimension whose size is computed")
    return None


def _check_dtypes(at: At, dtype: torch.dtype, *names: str, views: Sequence[View] = ()) -> None:
    """Raise NotFusable unless eager takes the parameters' dtypes beside an input of `dtype`.

    All have it, or all are float32 beside an input of a half type.
    """
    found = {at.operand(name, *views).dtype for name in names if at.has(name)}
    if found not in (set(), {dtype}, {computed_in(dtype)}):
        raise at.refuse("dtype", "with parameters of other dtypes than the input")


def _affine(at: At, value: Scalar, dtype: torch.dtype, *views: View) -> Scalar:
    """`value * weight + bias` for an input of `dtype`; each of the two may be missing."""
    _check_dtypes(at, dtype, "weight", "bias", views=views)
    for name, op in (("weight", "mul"), ("bias", "add")):
        if at.has(name):
            value = at.apply(op, value, at.operand(name, *views).to(at.k, value.dtype))
    return value


def _standardized(at: At, value: Scalar) -> tuple[Scalar, Scalar]:
    """`value` with mean 0 and variance 1; by what it was multiplied."""
    spread = at.apply("add", variance(at, value), at.number("eps", value.dtype))
    scale = at.apply("rsqrt", spread)
    return at.apply("mul", centred(at, value), scale), scale


def _layer_norm(at: At) -> Scalar:
    dtype, value = _floating_row(at)
    return at.k.cast(_affine(at, _standardized(at, value)[0], dtype), dtype)


def _native_layer_norm(at: At) -> Scalar:
    """The result, the mean, and one over the standard deviation; these two have no gradients."""
    dtype, value = _floating_row(at)
    result, scale = _standardized(at, value)
    if at.index == 0:
        return at.k.cast(_affine(at, result, dtype), dtype)
    if dtype != value.dtype:
        raise at.refuse_dtype(dtype)
    return at.apply("detach", average(at, value) if at.index == 1 else scale)


def _native_shape(at: At) -> Shape:
    shape, count = at.shape("input"), _normalized(at)
    return shape if at.index == 0 else shape[:-count] + (1,) * count


def _of_sizes_given(at: At, value: Scalar) -> Scalar:
    """Return a value, if the sizes that are numbers of the call are those of the tensor.

    Of several, nobody would know which is which: they have no kernel.
    """
    sizes = at.argument("normalized_shape")
    assert sizes is not None
    items = sizes.node.inputs if sizes.node.kind == "prim::ListConstruct" else []
    given = [item for item in items if item in at.lowerer.leaves]
    if not given:
        return value
    if len(items) > 1:
        raise at.refuse("not-constant", "over several dimensions whose sizes are not constants")
    number = at.lowerer.operand(at, given[0]).to(at.k, torch.float64)
    return at.apply("checked", value, at.apply("eq", number, at.k.count(torch.float64)))


def _floating_row(at: At) -> tuple[torch.dtype, Scalar]:
    dtype, value = _floating_input(at)
    return dtype, _of_sizes_given(at, value)


def _floating_input(at: At) -> tuple[torch.dtype, Scalar]:
    given = at.operand("input")
    if not given.dtype.is_floating_point:
        raise at.refuse_dtype(given.dtype)
    return given.dtype, given.widened(at.k, given.dtype)


def _rms_norm(at: At) -> Scalar:
    """The mean square is computed in float32 and rounded; the weight is applied as by `*`."""
    dtype, value = _floating_row(at)
    k = at.k
    if at.has("eps"):
        eps = at.number("eps", dtype)
    else:
        eps = k.constant(torch.finfo(value.dtype).eps, value.dtype)
    square = average(at, at.apply("mul", value, value))
    result = at.apply("mul", value, at.apply("rsqrt", at.apply("add", square, eps)))
    if at.has("weight"):
        weight = at.operand("weight")
        if weight.dtype != dtype:
            raise at.refuse_dtype(weight.dtype)
        result = at.apply("mul", result, weight.widened(k, dtype))
    return k.cast(result, dtype)


# ---- By channels ---------------------------------------------------------------------------------


def _channels(at: At) -> list[View]:
    """The views by which [C] becomes [C, 1, ...], for a tensor of [N, C, ...]."""
    return [View("aten::unsqueeze", (1 + dim,)) for dim in range(at.rank("input") - 2)]


_OF_CHANNELS = ("running_mean", "running_var", "weight", "bias")


def _batch_norm(at: At) -> Scalar:
    """`(x - mean) * scale`; eager's `x * scale - mean * scale` is the same if `scale` is finite."""
    if at.constant("training") or not (at.has("running_mean") and at.has("running_var")):
        raise at.refuse("reduction", "in training reduces over dimensions that are not the last")
    if at.rank("input") < 2:
        raise at.refuse("shape", "of fewer than two dimensions")
    for name in _OF_CHANNELS:
        if at.has(name) and at.shape(name) != at.shape("input")[1:2]:
            raise at.refuse("shape", f"with a {name} of shape {at.shape(name)}")
    dtype, value = _floating_input(at)
    k, views = at.k, _channels(at)
    _check_dtypes(at, dtype, *_OF_CHANNELS, views=views)
    mean, spread = [
        at.operand(name, *views).to(k, value.dtype) for name in ("running_mean", "running_var")
    ]
    scale = at.apply("rsqrt", at.apply("add", spread, at.number("eps", value.dtype)))
    if at.has("weight"):
        scale = at.apply("mul", scale, at.operand("weight", *views).to(k, value.dtype))
    result = at.apply("mul", at.apply("sub", value, mean), scale)
    if at.has("bias"):
        result = at.apply("add", result, at.operand("bias", *views).to(k, value.dtype))
    return k.cast(not_below_zero(at, "eps", result, or_zero=False), dtype)


def _of_groups(at: At) -> int:
    """One group is all but the batch; as many groups as channels are all but these.

    Else the domain is that of `x.unflatten(1, (groups, -1))`, and the result is merged again.
    """
    shape, groups = at.shape("input"), at.constant("num_groups")
    rank = len(shape)
    if rank >= 2 and groups == 1:
        return rank - 1
    if rank >= 3 and groups == shape[1]:
        at.lowerer.sizes.append((1 - rank, groups))
        return rank - 2
    if rank >= 2 and groups > 0 and shape[1] % groups == 0 and shape[1] > groups:
        return rank - 1
    raise at.refuse("shape", f"of {groups} groups of a tensor of shape {shape}")


def _merged_groups(at: At) -> Parts | None:
    """Return the parts of the result: the domain's groups, merged with their channels."""
    shape, groups = at.shape("input"), at.constant("num_groups")
    is_merged = groups not in (1, shape[1]) or (len(shape) == 2 and groups != 1)
    return Parts("merge", 1 - len(shape), groups) if is_merged else None


def _grouped(at: At) -> Shape:
    parts = _merged_groups(at)
    return at.shape("input") if parts is None else parts.part(at.shape("input"))


def _of_instances(at: At) -> int:
    rank = at.rank("input")
    if at.has("running_mean") or at.has("running_var") or not at.constant("use_input_stats"):
        raise at.refuse("reduction", "with running statistics has no kernel")
    if rank < 3:
        raise at.refuse("shape", "of fewer than three dimensions")
    return rank - 2


def _norm_of_channels(at: At) -> Scalar:
    dtype, value = _floating_input(at)
    return at.k.cast(_affine(at, _standardized(at, value)[0], dtype, *_channels(at)), dtype)


def normalizing(
    emit: Callable[[At], Scalar],
    reduces: Callable[[At], int],
    shape: Callable[[At], Shape] = of_first,
    strides: StrideRule = rules.contiguous,
    **further: Any,
) -> Lowering:
    return Lowering(emit, shape, reduces, strides=strides, **further)


NORMALIZATION: dict[str, Lowering] = {
    "aten::softmax": normalizing(_softmax, _last),
    "aten::log_softmax": normalizing(_log_softmax, _last),
    "aten::layer_norm": normalizing(_layer_norm, _normalized),
    "aten::native_layer_norm": normalizing(_native_layer_norm, _normalized, _native_shape),
    "aten::rms_norm": normalizing(_rms_norm, _normalized, loops=2, strides=rules.plainly),
    "aten::batch_norm": Lowering(_batch_norm, of_first, strides=rules.image_or_plainly),
    "aten::group_norm": normalizing(
        _norm_of_channels,
        _of_groups,
        over=_grouped,
        parts=_merged_groups,
        strides=rules.like_image,
    ),
    "aten::instance_norm": normalizing(_norm_of_channels, _of_instances, strides=rules.plainly),
}
