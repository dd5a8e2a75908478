"""Packed parameters of quantized modules: objects of C++ classes, made of their states.

    __torch__.torch.classes.quantized.LinearPackedParamsBase     (weight, bias)
    __torch__.torch.classes.quantized.Conv2dPackedParamsBase     ("2", [numbers, weight], [bias])

The weight in the state is a quantized tensor; torch packs it for the engine of this machine
(`torch.backends.quantized.engine`), as `quantized::linear_prepack` does. That code relies on sizes
which it does not check, so a state is checked before torch sees it, and so are the arguments of the
operators, which a module's own `__setstate__` calls.

Source: aten/src/ATen/native/quantized/cpu/fbgemm_utils.cpp (`register_linear_params`),
conv_serialization.h (`parse_conv_serialized_state`), quantized/RNN.cpp.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor

from minits import torch_internals as internals

_GROUP = 2**12
_ROW = 2**6
"""Bytes that packing takes for a group of channels, and for a row of a weight, at least."""


class Unpackable(Exception):
    """Raised for a state or for arguments that torch cannot pack."""


def packed_object(name: str, state: Any) -> Any:
    """Return the object of a class in `PACKED_CLASSES` with a state that `packed_bytes` checked.

    Raises `Unpackable` if torch refuses it, as a weight that this machine's engine cannot pack.
    """
    try:
        return internals.cpp_object(name, state)
    except (RuntimeError, IndexError, TypeError) as why:
        raise Unpackable(str(why).partition("\n")[0]) from None


def packed_bytes(name: str, state: Any) -> int:
    """Return how many bytes it may take to pack a state. Raises `Unpackable` if it is damaged."""
    return _STATES[name.rpartition(".")[2]](state)


def prepacked_bytes(operator: str, arguments: Sequence[Any]) -> int | None:
    """Return the same for a call of an operator (`quantized::linear_prepack`).

    Return None for other operators. Raises `Unpackable` for arguments that torch cannot pack.
    """
    check = _PREPACK.get(operator)
    return None if check is None else check(*arguments)


# ---- Weights -----------------------------------------------------------------------------------


def _require(is_right: bool, message: str) -> None:
    if not is_right:
        raise Unpackable(message)


def _check_weight(weight: Tensor, rank: int, dtypes: tuple[torch.dtype, ...]) -> None:
    _require(weight.dim() == rank and 0 not in weight.shape, f"a weight has {rank} dimensions")
    _require(weight.dtype in dtypes, f"a weight of {weight.dtype} is not packed")
    size = weight.numel() * weight.element_size()
    _require(size <= weight.untyped_storage().nbytes(), "a weight repeats its elements")
    if weight.is_quantized and weight.qscheme() != torch.per_tensor_affine:
        _require(weight.q_per_channel_axis() == 0, "a weight is quantized along its first axis")


def _size(weight: Tensor) -> int:
    """Return how many bytes it takes to pack a weight: two for an element of full rows."""
    rows = int(weight.shape[0])
    return 2 * rows * max(int(weight.numel()) // rows, _ROW)


def _check_bias(bias: Any, count: int) -> None:
    if bias is not None:
        is_right = bias.dtype == torch.float32 and tuple(bias.shape) == (count,)
        _require(is_right, f"a bias has {count} elements of float32")


def _linear(weight: Tensor, bias: Tensor | None) -> int:
    _check_weight(weight, 2, (torch.qint8, torch.float32))
    _check_bias(bias, weight.shape[0])
    _require(
        not weight.is_quantized or weight.qscheme() in _LINEAR_SCHEMES,
        "a weight of linear is quantized per tensor, or per channel",
    )
    return _size(weight)


_LINEAR_SCHEMES = (torch.per_tensor_affine, torch.per_channel_affine)


def _convolution(
    rank: int,
    transposed: bool,
    weight: Tensor,
    bias: Tensor | None,
    stride: Sequence[int],
    padding: Sequence[int],
    output_padding: Sequence[int],
    dilation: Sequence[int],
    groups: int,
) -> int:
    _check_weight(weight, rank + 2, (torch.qint8,))
    schemes = _LINEAR_SCHEMES[:1] if transposed else _LINEAR_SCHEMES
    _require(weight.qscheme() in schemes, f"a weight quantized as {weight.qscheme()}")
    for numbers, least in ((stride, 1), (padding, 0), (output_padding, 0), (dilation, 1)):
        _require(
            len(numbers) == rank and all(least <= n < 2**15 for n in numbers),
            f"a stride, padding or dilation has {rank} numbers",
        )
    _require(groups > 0 and weight.shape[0] % groups == 0, "the groups do not divide the channels")
    _check_bias(bias, weight.shape[1] * groups if transposed else weight.shape[0])
    return _GROUP * groups + _size(weight)


def _embedding(weight: Tensor) -> int:
    _check_weight(weight, 2, (torch.quint8,))
    scheme = torch.per_channel_affine_float_qparams
    _require(weight.qscheme() == scheme, f"a weight of embeddings is quantized as {scheme}")
    return _size(weight)


# ---- States ------------------------------------------------------------------------------------


def _linear_state(state: Any) -> int:
    return _linear(*state)


def _convolution_state(rank: int) -> Callable[[Any], int]:
    def check(state: Any) -> int:
        version, tensors, optional = state
        _require(version == "2", f"a state of version {version[:20]!r}, where 2 is known")
        _require(len(tensors) == 2 and len(optional) == 1, "a state has a weight and a bias")
        numbers, weight = tensors
        _require(
            numbers.dtype == torch.int16 and tuple(numbers.shape) == (4 * rank + 3,),
            f"a state has {4 * rank + 3} numbers of 16 bits",
        )
        first, *rest, groups, transposed = numbers.tolist()
        _require(first == rank and transposed in (0, 1), f"a state is that of {rank} dimensions")
        stride, padding, dilation, more = (
            rest[start : start + rank] for start in range(0, 4 * rank, rank)
        )
        values = weight, optional[0], stride, padding, more, dilation, groups
        return _convolution(rank, bool(transposed), *values)

    return check


def _embedding_state(state: Any) -> int:
    version, tensors, floats, bits = state
    is_right = version == 1 and len(tensors) == 1 and not floats and bits == [8]
    _require(is_right, "a state is of version 1, with one weight of 8 bits")
    return _embedding(tensors[0])


def _cell_state(state: Any) -> int:
    kind, biases, floats, numbers, packed = state
    is_right = (kind, len(biases), len(numbers)) in _CELLS and len(packed) == 2 and not floats
    _require(is_right and set(numbers) <= {0, 1}, f"a cell of the kind {kind[:40]!r}")
    for bias, weights in zip(biases, packed, strict=False):
        _check_bias(bias, weights.unpack()[0].shape[0])
    return 0


_CELLS = (("quantized_dynamic", 2, 0), ("quantized_dynamic", 2, 1), ("quantized_fp16", 0, 0))
"""The kinds of recurrent cells, with how many biases and numbers each has."""

_STATES: dict[str, Callable[[Any], int]] = {
    "LinearPackedParamsBase": _linear_state,
    "Conv2dPackedParamsBase": _convolution_state(2),
    "Conv3dPackedParamsBase": _convolution_state(3),
    "EmbeddingPackedParamsBase": _embedding_state,
    "CellParamsBase": _cell_state,
}


# ---- Operators ---------------------------------------------------------------------------------


def _convolution_prepack(rank: int) -> Callable[..., int]:
    def check(weight: Tensor, bias: Any, stride: Any, padding: Any, dilation: Any, g: int) -> int:
        more = [0] * rank
        return _convolution(rank, False, weight, bias, stride, padding, more, dilation, g)

    return check


def _transposed_prepack(rank: int) -> Callable[..., int]:
    return lambda weight, bias, stride, padding, more, dilation, groups: _convolution(
        rank, True, weight, bias, stride, padding, more, dilation, groups
    )


_PREPACK: dict[str, Callable[..., int]] = {
    "quantized::linear_prepack": lambda weight, bias=None: _linear(weight, bias),
    "quantized::linear_prepack_fp16": lambda weight, bias=None: _linear(weight, bias),
    "quantized::embedding_bag_prepack": lambda weight, *_: _embedding(weight),
    **{f"quantized::conv{n}d_prepack": _convolution_prepack(n) for n in (1, 2, 3)},
    **{f"quantized::conv_transpose{n}d_prepack": _transposed_prepack(n) for n in (1, 2, 3)},
}
