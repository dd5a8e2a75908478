"""Rules of shape propagation: one for each kind of operator that programs use often.

A rule takes the arguments of an operator by name, tensors as `TensorMeta`, and gives that of the
result, a tuple of them where there are several. Dtypes are torch's own answer: the operator runs on
ones of the same dtypes, one element each. Shapes are worked out here, since running operators on
meta tensors costs up to a millisecond each, and the better part of a second for the first one.

Operators that have no rule are run on meta tensors all the same (`meta_execution.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from minits.kernels.scalar_ops import SCALAR_OPS
from minits.ops.broadcasting import broadcast_shapes
from minits.ops.eager_strides import contiguous_strides
from minits.passes.shape_propagation.moving_rules import (
    broadcast_tensors,
    cat,
    embedding,
    gather,
    index_select,
    stack,
)
from minits.passes.shape_propagation.product_rules import (
    added_matmul,
    attention,
    convolution,
    linear,
    matmul,
    pooling,
)
from minits.passes.shape_propagation.rule_parts import (
    Arguments,
    NoRule,
    Rule,
    device_of_factories,
    dims_of,
    dtype_of,
    given,
    make,
    metas_in,
    one_of,
    ones_of,
)
from minits.records import replace
from minits.types.tensor_meta import TensorMeta, can_require_grad


def elementwise(operator: Callable[..., Any], arguments: Arguments) -> TensorMeta:
    """The shapes broadcast; a result has the strides of an operand of its shape, if any."""
    operands = list(metas_in(list(arguments.values())))
    shape = broadcast_shapes(*[meta.shape for meta in operands])
    meta = make(operands, operator(*given(arguments, one_of)).dtype, shape)
    for operand in operands:
        if operand.shape == shape and 0 not in operand.strides:
            return replace(meta, strides=operand.strides)
    return meta


def same_shape(operator: Callable[..., Any], arguments: Arguments) -> TensorMeta:
    """Softmax, normalisations, `zeros_like`: as the first tensor, unless a dtype is asked for."""
    first = next(metas_in(list(arguments.values())))
    return make(
        list(metas_in(list(arguments.values()))), dtype_of(arguments, first.dtype), first.shape
    )


def scan(operator: Callable[..., Any], arguments: Arguments) -> TensorMeta:
    """`cumsum` and `cumprod`: integers become int64, unless a dtype is asked for."""
    made = same_shape(operator, arguments)
    is_asked = arguments.get("dtype") is not None
    return made if is_asked or made.dtype.is_floating_point else replace(made, dtype=torch.int64)


def batch_norm(operator: Callable[..., Any], arguments: Arguments) -> TensorMeta:
    """Return the metadata of the input, if weight and bias are vectors.

    Of an input without elements eager gives `input * weight[0] + bias[0]`, whatever these are.

    Raises `NoRule`.
    """
    affine = [meta for name in ("weight", "bias") for meta in metas_in(arguments[name])]
    if not all(meta.rank == 1 and meta.dtype.is_floating_point for meta in affine):
        raise NoRule("the weight or the bias is no vector")
    return same_shape(operator, arguments)


def as_it_is(operator: Callable[..., Any], arguments: Arguments) -> TensorMeta:
    """Dropout gives what it is given, or a tensor like that."""
    return next(metas_in(list(arguments.values())))


def filled(operator: Callable[..., Any], arguments: Arguments) -> TensorMeta:
    """`fill` and `zero`: as the first tensor, with a gradient if the number has one."""
    first, *others = metas_in(list(arguments.values()))
    requires_grad = any(meta.requires_grad for meta in (first, *others))
    return replace(first, requires_grad=requires_grad and can_require_grad(first.dtype))


def like(operator: Callable[..., Any], arguments: Arguments) -> TensorMeta:
    """`zeros_like` and its kin: the device may be asked for, and nothing is differentiated."""
    first = next(metas_in(list(arguments.values())))
    device = torch.device(arguments.get("device") or first.device)
    shape = tuple(arguments.get("size", first.shape))
    dtype = dtype_of(arguments, first.dtype)
    return TensorMeta(dtype, device, shape, contiguous_strides(shape))


def factory(operator: Callable[..., Any], arguments: Arguments) -> TensorMeta:
    """`zeros(size)` and its kin."""
    device = torch.device(arguments.get("device") or device_of_factories())
    default = torch.get_default_dtype()
    if "fill_value" in arguments:
        default = torch.full((), arguments["fill_value"]).dtype
    shape = tuple(arguments["size"])
    return TensorMeta(dtype_of(arguments, default), device, shape, contiguous_strides(shape))


def reduction(operator: Callable[..., Any], arguments: Arguments) -> Any:
    """`sum`, `amax`, `max(dim)`: the dimensions of `dim`, or all, become ones or go."""
    if "other" in arguments:
        return elementwise(operator, arguments)
    (operand,) = metas_in(list(arguments.values()))
    dims = dims_of(arguments.get("dim"), operand.rank)
    keepdim = arguments.get("keepdim", False)
    shape = [
        1 if index in dims else size
        for index, size in enumerate(operand.shape)
        if keepdim or index not in dims
    ]
    made = operator(*given(arguments, ones_of))
    if isinstance(made, torch.Tensor):
        return make([operand], made.dtype, shape)
    return tuple(make([operand], part.dtype, shape) for part in made)


def variance(operator: Callable[..., Any], arguments: Arguments) -> TensorMeta:
    """`var`, `std`, `norm`: of the operand's dtype. They would warn of a single element.

    Raises `NoRule`.
    """
    (operand,) = metas_in(list(arguments.values()))
    if not operand.dtype.is_floating_point:
        raise NoRule("not floating point")
    dtype = dtype_of(arguments, operand.dtype)
    return reduction(lambda *_: torch.ones((), dtype=dtype), arguments)  # type: ignore[no-any-return]


def loss(operator: Callable[..., Any], arguments: Arguments) -> TensorMeta:
    """Return the metadata of a loss. Its dtype is that of one operand, or promoted from both."""
    each = elementwise(operator, arguments)
    if arguments["reduction"] == 0:
        return each
    return make(list(metas_in(list(arguments.values()))), each.dtype, ())


def soft_margin_loss(operator: Callable[..., Any], arguments: Arguments) -> TensorMeta:
    """Return metadata of the input's dtype, whatever the target's; meta tensors tell otherwise."""
    return replace(loss(operator, arguments), dtype=arguments["self"].dtype)


def class_loss(operator: Callable[..., Any], arguments: Arguments) -> TensorMeta:
    """`nll_loss`, `cross_entropy_loss`: of the scores' dtype."""
    operands = list(metas_in(list(arguments.values())))
    scores = operands[0]
    is_each = arguments["reduction"] == 0 and scores.rank > 1
    shape = scores.shape[:1] + scores.shape[2:] if is_each else ()
    return make(operands, scores.dtype, shape)


# ---- The table ---------------------------------------------------------------------------------

_RULES: tuple[tuple[str, Rule], ...] = (
    ("float_power isclose isreal masked_fill mvlgamma polygamma positive rrelu",
     elementwise),
    ("softmax log_softmax layer_norm rms_norm group_norm instance_norm logcumsumexp",
     same_shape),
    ("batch_norm", batch_norm),
    ("cumsum cumprod", scan),
    ("dropout feature_dropout alpha_dropout feature_alpha_dropout", as_it_is),
    ("fill zero", filled),
    ("zeros_like ones_like full_like empty_like rand_like randn_like new_zeros new_ones new_full "
     "new_empty", like),
    ("zeros ones full empty rand randn", factory),
    ("sum nansum prod mean nanmean amax amin max min any all argmax argmin logsumexp", reduction),
    ("var std norm linalg_vector_norm", variance),
    ("mse_loss l1_loss smooth_l1_loss huber_loss binary_cross_entropy "
     "binary_cross_entropy_with_logits kl_div", loss),
    ("soft_margin_loss", soft_margin_loss),
    ("nll_loss cross_entropy_loss nll_loss_nd", class_loss),
    ("matmul mm bmm mv dot", matmul),
    ("linear", linear),
    ("addmm baddbmm", added_matmul),
    ("scaled_dot_product_attention", attention),
    ("cat", cat),
    ("stack", stack),
    ("broadcast_tensors", broadcast_tensors),
    ("embedding", embedding),
    ("gather", gather),
    ("index_select", index_select),
    ("conv1d conv2d conv3d", convolution),
    ("max_pool1d max_pool2d max_pool3d avg_pool1d avg_pool2d avg_pool3d", pooling),
)  # fmt: skip
RULES: dict[str, Rule] = {
    **{kind: elementwise for row in SCALAR_OPS.values() for kind in row.kinds},
    **{f"aten::{name}": rule for names, rule in _RULES for name in names.split()},
}
"""The rule of each kind of node that has one."""
