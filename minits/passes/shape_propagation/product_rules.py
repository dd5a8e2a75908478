"""Rules of products, convolutions and windows: operators that sum over what tensors share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from minits.ops.broadcasting import broadcast_shapes
from minits.passes.shape_propagation.rule_parts import Arguments, NoRule, make, metas_in
from minits.types.tensor_meta import TensorMeta


def matmul(operator: Callable[..., Any], arguments: Arguments) -> TensorMeta:
    a, b = metas_in(list(arguments.values()))
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
    operands = list(metas_in(list(arguments.values())))
    x, weight = operands[:2]
    if x.shape[-1:] != weight.shape[-1:]:
        raise ValueError(f"linear of {x.shape} by {weight.shape}")
    return make(operands, x.dtype, x.shape[:-1] + weight.shape[:-1])


def added_matmul(operator: Callable[..., Any], arguments: Arguments) -> TensorMeta:
    operands = list(metas_in(list(arguments.values())))
    _, a, b = operands
    return make(operands, a.dtype, matmul_shape(a.shape, b.shape))


def attention(operator: Callable[..., Any], arguments: Arguments) -> TensorMeta:
    query, _, value, *_ = operands = list(metas_in(list(arguments.values())))
    return make(operands, query.dtype, query.shape[:-1] + value.shape[-1:])


def convolution(operator: Callable[..., Any], arguments: Arguments) -> TensorMeta:
    """`conv1d`, `conv2d`, `conv3d`, with numbers for padding; the input may lack a batch.

    Raises `NoRule`.
    """
    operands = list(metas_in(list(arguments.values())))
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
