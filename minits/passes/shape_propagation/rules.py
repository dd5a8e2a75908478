"""What operators make of facts: one rule for each kind of operator that programs use often.

A rule takes the arguments of an operator by name, tensors as `TensorMeta`, and gives that of the
result, a tuple of them where there are several. Dtypes are torch's own answer: the operator runs on
ones of the same dtypes, one element each. Shapes are worked out here, since running operators on
meta tensors costs up to a millisecond each, and the better part of a second for the first one.

Operators that have no rule are run on meta tensors all the same (`meta_execution.py`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import torch

from minits.kernels.scalar_ops import SCALAR_OPS
from minits.ops.broadcasting import broadcast_shapes
from minits.ops.eager_strides import contiguous_strides
from minits.records import replace
from minits.types.tensor_meta import TensorMeta

Arguments = dict[str, Any]
Rule = Callable[[Callable[..., Any], Arguments], Any]
"""`(the operator, its arguments by name)` to a fact, or a tuple of facts. Raises what it likes
where the operator would, or where the rule does not know."""


class NoRule(Exception):
    """The rule does not cover these arguments."""


# ---- Parts of rules ----------------------------------------------------------------------------


def facts_in(value: Any) -> Iterator[TensorMeta]:
    """Yield the facts in an argument, those in lists and tuples included."""
    if isinstance(value, TensorMeta):
        yield value
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from facts_in(item)


def device_of(facts: Sequence[TensorMeta]) -> torch.device:
    """Return the device of the result: tensors of rank 0 on the CPU go along with others.

    Raises `NoRule` where the devices disagree.
    """
    strong = {fact.device for fact in facts if fact.rank or fact.device.type != "cpu"}
    if len(strong) > 1:
        raise NoRule("the tensors are on several devices")
    if strong:
        return strong.pop()
    return facts[0].device if facts else torch.get_default_device()


def make(like: Sequence[TensorMeta], dtype: torch.dtype, shape: Iterable[int]) -> TensorMeta:
    """Return the fact of a new contiguous tensor that is made of the tensors `like`."""
    shape = tuple(shape)
    requires_grad = dtype.is_floating_point and any(fact.requires_grad for fact in like)
    return TensorMeta(dtype, device_of(like), shape, contiguous_strides(shape), requires_grad)


def _one(fact: TensorMeta) -> torch.Tensor:
    """A tensor of one element that promotes types as the fact's tensor does."""
    return torch.ones((1,) if fact.rank else (), dtype=fact.dtype)


def _ones(fact: TensorMeta) -> torch.Tensor:
    """A tensor of one element and the fact's rank."""
    return torch.ones((1,) * fact.rank, dtype=fact.dtype)


def _with(arguments: Arguments, tensor: Callable[[TensorMeta], torch.Tensor]) -> list[Any]:
    return [tensor(v) if isinstance(v, TensorMeta) else v for v in arguments.values()]


def _dims(dim: Any, rank: int) -> tuple[int, ...]:
    """Return the dimensions meant by a `dim` argument: all for None and an empty list."""
    if dim is None or dim == []:
        return tuple(range(rank))
    dims = [dim] if isinstance(dim, int) else dim
    if any(not -max(rank, 1) <= d < max(rank, 1) for d in dims):
        raise IndexError(f"dimension {dim} of a tensor of rank {rank}")
    return tuple(d % rank for d in dims) if rank else ()


def _dtype(arguments: Arguments, default: torch.dtype) -> torch.dtype:
    given = arguments.get("dtype")
    if given is None:
        return default
    return given if isinstance(given, torch.dtype) else dtype_numbered(given)


_NUMBERED = (
    torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64, torch.float16, torch.float32,
    torch.float64, None, torch.complex64, torch.complex128, torch.bool, None, None, None,
    torch.bfloat16,
)  # fmt: skip
"""Source: c10/core/ScalarType.h."""


def dtype_numbered(number: int) -> torch.dtype:
    """Return the dtype that torch's IR gives as an int. Raises `NoRule`."""
    dtype = _NUMBERED[number] if 0 <= number < len(_NUMBERED) else None
    if dtype is None:
        raise NoRule(f"dtype number {number}")
    return dtype


# ---- Rules -------------------------------------------------------------------------------------


def elementwise(operator: Callable[..., Any], arguments: Arguments) -> TensorMeta:
    """The shapes broadcast; a result has the strides of an operand of its shape, if any."""
    operands = list(facts_in(list(arguments.values())))
    shape = broadcast_shapes(*[fact.shape for fact in operands])
    fact = make(operands, operator(*_with(arguments, _one)).dtype, shape)
    for operand in operands:
        if operand.shape == shape and 0 not in operand.strides:
            return replace(fact, strides=operand.strides)
    return fact


def same_shape(operator: Callable[..., Any], arguments: Arguments) -> TensorMeta:
    """Softmax, normalisations, `zeros_like`: as the first tensor, unless a dtype is asked for."""
    first = next(facts_in(list(arguments.values())))
    return make(
        list(facts_in(list(arguments.values()))), _dtype(arguments, first.dtype), first.shape
    )


def scan(operator: Callable[..., Any], arguments: Arguments) -> TensorMeta:
    """`cumsum` and `cumprod`: integers become int64, unless a dtype is asked for."""
    made = same_shape(operator, arguments)
    is_asked = arguments.get("dtype") is not None
    return made if is_asked or made.dtype.is_floating_point else replace(made, dtype=torch.int64)


def batch_norm(operator: Callable[..., Any], arguments: Arguments) -> TensorMeta:
    """Return the fact of the input, if weight and bias are vectors.

    Of an input without elements eager gives `input * weight[0] + bias[0]`, whatever these are.

    Raises `NoRule`.
    """
    affine = [fact for name in ("weight", "bias") for fact in facts_in(arguments[name])]
    if not all(fact.rank == 1 and fact.dtype.is_floating_point for fact in affine):
        raise NoRule("the weight or the bias is no vector")
    return same_shape(operator, arguments)


def as_it_is(operator: Callable[..., Any], arguments: Arguments) -> TensorMeta:
    """Dropout gives what it is given, or a tensor like that."""
    return next(facts_in(list(arguments.values())))


def filled(operator: Callable[..., Any], arguments: Arguments) -> TensorMeta:
    """`fill` and `zero`: as the first tensor, with a gradient if the number has one."""
    first, *others = facts_in(list(arguments.values()))
    requires_grad = any(fact.requires_grad for fact in (first, *others))
    return replace(first, requires_grad=requires_grad and first.dtype.is_floating_point)


def like(operator: Callable[..., Any], arguments: Arguments) -> TensorMeta:
    """`zeros_like` and its kin: the device may be asked for, and nothing is differentiated."""
    first = next(facts_in(list(arguments.values())))
    device = torch.device(arguments.get("device") or first.device)
    shape = tuple(arguments.get("size", first.shape))
    dtype = _dtype(arguments, first.dtype)
    return TensorMeta(dtype, device, shape, contiguous_strides(shape))


def factory(operator: Callable[..., Any], arguments: Arguments) -> TensorMeta:
    """`zeros(size)` and its kin."""
    device = torch.device(arguments.get("device") or torch.get_default_device())
    default = torch.get_default_dtype()
    if "fill_value" in arguments:
        default = torch.full((), arguments["fill_value"]).dtype
    shape = tuple(arguments["size"])
    return TensorMeta(_dtype(arguments, default), device, shape, contiguous_strides(shape))


def reduction(operator: Callable[..., Any], arguments: Arguments) -> Any:
    """`sum`, `amax`, `max(dim)`: the dimensions of `dim`, or all, become ones or go."""
    if "other" in arguments:
        return elementwise(operator, arguments)
    (operand,) = facts_in(list(arguments.values()))
    dims = _dims(arguments.get("dim"), operand.rank)
    keepdim = arguments.get("keepdim", False)
    shape = [
        1 if index in dims else size
        for index, size in enumerate(operand.shape)
        if keepdim or index not in dims
    ]
    made = operator(*_with(arguments, _ones))
    if isinstance(made, torch.Tensor):
        return make([operand], made.dtype, shape)
    return tuple(make([operand], part.dtype, shape) for part in made)


def variance(operator: Callable[..., Any], arguments: Arguments) -> TensorMeta:
    """`var`, `std`, `norm`: of the operand's dtype. They would warn of a single element.

    Raises `NoRule`.
    """
    (operand,) = facts_in(list(arguments.values()))
    if not operand.dtype.is_floating_point:
        raise NoRule("not floating point")
    dtype = _dtype(arguments, operand.dtype)
    return reduction(lambda *_: torch.ones((), dtype=dtype), arguments)  # type: ignore[no-any-return]


def loss(operator: Callable[..., Any], arguments: Arguments) -> TensorMeta:
    """Return the fact of a loss; which operand decides about the dtype, or both, differs."""
    each = elementwise(operator, arguments)
    if arguments["reduction"] == 0:
        return each
    return make(list(facts_in(list(arguments.values()))), each.dtype, ())


def soft_margin_loss(operator: Callable[..., Any], arguments: Arguments) -> TensorMeta:
    """Return a fact of the input's dtype, whatever the target's; meta tensors tell otherwise."""
    return replace(loss(operator, arguments), dtype=arguments["self"].dtype)


def class_loss(operator: Callable[..., Any], arguments: Arguments) -> TensorMeta:
    """`nll_loss`, `cross_entropy_loss`: of the scores' dtype."""
    operands = list(facts_in(list(arguments.values())))
    scores = operands[0]
    is_each = arguments["reduction"] == 0 and scores.rank > 1
    shape = scores.shape[:1] + scores.shape[2:] if is_each else ()
    return make(operands, scores.dtype, shape)


def matmul(operator: Callable[..., Any], arguments: Arguments) -> TensorMeta:
    a, b = facts_in(list(arguments.values()))
    return make([a, b], a.dtype, matmul_shape(a.shape, b.shape))


def matmul_shape(a: tuple[int, ...], b: tuple[int, ...]) -> tuple[int, ...]:
    """Return the shape of `a @ b`. Raises `ValueError` or `RuntimeError` where there is none."""
    if not a or not b or a[-1] != b[-2 if len(b) > 1 else 0]:
        raise ValueError(f"matmul of {a} and {b}")
    rows = a[-2:-1]
    columns = b[-1:] if len(b) > 1 else ()
    return broadcast_shapes(a[:-2], b[:-2]) + rows + columns


def linear(operator: Callable[..., Any], arguments: Arguments) -> TensorMeta:
    """`linear`, `x: [*, I]` by `weight: [O, I]` or `[I]`. Raises `ValueError` if `I` differs."""
    operands = list(facts_in(list(arguments.values())))
    x, weight = operands[:2]
    if x.shape[-1:] != weight.shape[-1:]:
        raise ValueError(f"linear of {x.shape} by {weight.shape}")
    return make(operands, x.dtype, x.shape[:-1] + weight.shape[:-1])


def added_matmul(operator: Callable[..., Any], arguments: Arguments) -> TensorMeta:
    operands = list(facts_in(list(arguments.values())))
    _, a, b = operands
    return make(operands, a.dtype, matmul_shape(a.shape, b.shape))


def attention(operator: Callable[..., Any], arguments: Arguments) -> TensorMeta:
    query, _, value, *_ = operands = list(facts_in(list(arguments.values())))
    return make(operands, query.dtype, query.shape[:-1] + value.shape[-1:])


def cat(operator: Callable[..., Any], arguments: Arguments) -> TensorMeta:
    parts = [fact for fact in arguments["tensors"] if fact.shape != (0,)]
    shape = list(parts[0].shape)
    dim = arguments["dim"] % len(shape)
    shape[dim] = sum(fact.shape[dim] for fact in parts)
    return make(parts, _promoted(arguments["tensors"]), shape)


def broadcast_tensors(operator: Callable[..., Any], arguments: Arguments) -> list[TensorMeta]:
    parts: list[TensorMeta] = arguments["tensors"]
    shape = broadcast_shapes(*[fact.shape for fact in parts])
    return [_expanded(fact, shape) for fact in parts]


def _expanded(fact: TensorMeta, shape: tuple[int, ...]) -> TensorMeta:
    padding = len(shape) - fact.rank
    strides = [
        0 if size == 1 and size != whole else stride
        for size, stride, whole in zip(fact.shape, fact.strides, shape[padding:], strict=True)
    ]
    return replace(fact, shape=shape, strides=(*(0,) * padding, *strides))


def stack(operator: Callable[..., Any], arguments: Arguments) -> TensorMeta:
    parts = arguments["tensors"]
    shape = list(parts[0].shape)
    shape.insert(arguments["dim"] % (len(shape) + 1), len(parts))
    return make(parts, _promoted(parts), shape)


def _promoted(parts: Sequence[TensorMeta]) -> torch.dtype:
    dtype = parts[0].dtype
    for part in parts:
        dtype = torch.promote_types(dtype, part.dtype)
    return dtype


def embedding(operator: Callable[..., Any], arguments: Arguments) -> TensorMeta:
    weight, indices = facts_in(list(arguments.values()))
    return make([weight], weight.dtype, indices.shape + weight.shape[1:])


def gather(operator: Callable[..., Any], arguments: Arguments) -> TensorMeta:
    return make([arguments["self"]], arguments["self"].dtype, arguments["index"].shape)


def index_select(operator: Callable[..., Any], arguments: Arguments) -> TensorMeta:
    operand = arguments["self"]
    shape = list(operand.shape)
    shape[arguments["dim"]] = math.prod(arguments["index"].shape)
    return make([operand], operand.dtype, shape)


def convolution(operator: Callable[..., Any], arguments: Arguments) -> TensorMeta:
    """`conv1d`, `conv2d`, `conv3d`, with numbers for padding; the input may lack a batch.

    Raises `NoRule`.
    """
    operands = list(facts_in(list(arguments.values())))
    x, weight = operands[:2]
    padding = arguments["padding"]
    if isinstance(padding, str):
        raise NoRule("padding by name")
    space = _window(x, weight.shape[2:], arguments["stride"], padding, arguments["dilation"])
    batch = x.shape[: -len(space) - 1]
    return make(operands, x.dtype, (*batch, weight.shape[0], *space))


def pooling(operator: Callable[..., Any], arguments: Arguments) -> TensorMeta:
    """`max_pool2d` and the like; the input may lack a batch. Raises `NoRule` for `ceil_mode`."""
    x = arguments["self"]
    if arguments["ceil_mode"]:
        raise NoRule("sizes rounded up")
    kernel = arguments["kernel_size"]
    stride = arguments["stride"] or kernel
    space = _window(x, kernel, stride, arguments["padding"], arguments.get("dilation", [1]))
    return make([x], x.dtype, (*x.shape[: -len(space)], *space))


def _window(x: TensorMeta, kernel: Any, stride: Any, padding: Any, dilation: Any) -> list[int]:
    """Return the sizes of the space that a window is moved over."""
    rank = len(kernel) if len(kernel) > 1 else x.rank - 2
    kernel, stride, padding, dilation = (
        list(part) * (rank if len(part) == 1 else 1) for part in (kernel, stride, padding, dilation)
    )
    sizes = [
        (size + 2 * p - d * (k - 1) - 1) // s + 1
        for size, k, s, p, d in zip(x.shape[-rank:], kernel, stride, padding, dilation, strict=True)
    ]
    if min(sizes) <= 0:
        raise ValueError("the window is larger than the input")
    return sizes


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
