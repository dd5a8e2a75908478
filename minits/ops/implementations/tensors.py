"""Attributes of tensors and devices, gradients, and what else torch's own compiler runs itself.

Source: torch/csrc/jit/runtime/register_prim_ops.cpp, register_special_ops.cpp.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

import torch

from minits import torch_internals as internals
from minits.ops.broadcasting import broadcast_shapes
from minits.ops.errors import ScriptError
from minits.types.dtypes import DTYPE_CODES, LAYOUT_CODES


def unwrap_optional(value: Any) -> Any:
    """Return a value that must not be None. Raises `ScriptError` where it is."""
    if value is None:
        raise ScriptError("Unwrapping null optional")
    return value


def length(tensor: torch.Tensor) -> int:
    """Return the size of the first dimension. Raises `ScriptError` for a tensor that has none."""
    if tensor.dim() == 0:
        raise ScriptError("len() of a 0-d tensor")
    return int(tensor.shape[0])


def _no_grad(method: str) -> Callable[..., torch.Tensor]:
    """Return a function that runs an in-place method of Tensor under `no_grad`."""
    change = getattr(torch.Tensor, method)

    def result(tensor: torch.Tensor, *arguments: Any, **keywords: Any) -> torch.Tensor:
        with torch.no_grad():
            return change(tensor, *arguments, **keywords)

    return result


def _no_grad_uniform(
    tensor: torch.Tensor, low: float, high: float, generator: Any = None
) -> torch.Tensor:
    with torch.no_grad():
        return tensor.uniform_(low, high, generator=generator)


def _no_grad_normal(
    tensor: torch.Tensor, mean: float, std: float, generator: Any = None
) -> torch.Tensor:
    with torch.no_grad():
        return tensor.normal_(mean, std, generator=generator)


def _renorm(weight: torch.Tensor, input: torch.Tensor, norm: float, kind: float) -> torch.Tensor:
    with torch.no_grad():
        return torch.embedding_renorm_(weight, input, norm, kind)


def _grad(
    outputs: list[torch.Tensor],
    inputs: list[torch.Tensor],
    grad_outputs: Any,
    retain: bool | None,
    create: bool,
    unused: bool,
) -> list[torch.Tensor | None]:
    found = torch.autograd.grad(outputs, inputs, grad_outputs, retain, create, allow_unused=unused)
    return list(found)


def _backward(tensors: Any, gradients: Any, retain: bool | None, create: bool) -> None:
    torch.autograd.backward(tensors, gradients, retain, create)


def _manual_seed(seed: int) -> None:
    torch.manual_seed(seed)


def _grad_sum_to_size(tensor: torch.Tensor, size: list[int] | None) -> torch.Tensor:
    return tensor if size is None else tensor.sum_to_size(size)


def _reduction_sizes(size: list[int], axes: list[int], keep: bool = False) -> list[int]:
    if keep:
        return [1 if axis in axes else length for axis, length in enumerate(size)]
    return [length for axis, length in enumerate(size) if axis not in axes]


def _broadcast_sizes(*sizes: list[int]) -> list[int]:
    return list(broadcast_shapes(*sizes))


def _split(tensor: torch.Tensor, sizes: list[int], dim: int) -> list[torch.Tensor]:
    return list(torch.split_with_sizes(tensor, sizes, dim))


def _no_awaits(value: Any) -> Any:
    raise ScriptError("this build of torch has no torch.jit._awaitable_nowait")


def _flat(values: tuple[Any, ...]) -> Iterator[Any]:
    """Yield the arguments, and the items of those that are lists."""
    for value in values:
        yield from value if isinstance(value, list) else (value,)


def _is_defined(tensor: torch.Tensor | None) -> bool:
    """Return whether a gradient is there; one that is not stands for zeros."""
    return tensor is not None


def _variadic(
    combine: Callable[[list[torch.Tensor], int], torch.Tensor],
) -> Callable[..., torch.Tensor]:
    """Return a function of tensors and then a dimension that calls `combine(tensors, dim)`."""
    return lambda *arguments: combine(list(arguments[:-1]), arguments[-1])


_FLAGS = (
    "is_cuda is_cpu is_xla is_xpu is_sparse is_sparse_csr is_mkldnn is_mps is_vulkan is_ipu "
    "is_quantized is_meta is_ort is_nested requires_grad is_leaf is_maia is_mtia itemsize nbytes "
    "grad data"
).split()


def _getter(name: str) -> Callable[[torch.Tensor], Any]:
    return lambda tensor: getattr(tensor, name)


def _convolution(*arguments: Any) -> torch.Tensor:
    """Return the result of the operator that traces have.

    For tools that record operators it is the public one, which exporters translate: it lacks the
    flags of cuDNN, the last four arguments, and takes those of the process.
    """
    if torch.compiler.is_compiling() or internals.dispatch_modes():
        return torch.convolution(*arguments[:9])
    return internals.FUNCTIONS._convolution(*arguments)


TABLE: dict[str, Callable[..., Any]] = {
    **{f"prim::{name}": _getter(name) for name in _FLAGS},
    "prim::device": lambda tensor: tensor.device,
    "prim::dtype": lambda tensor: DTYPE_CODES[tensor.dtype],
    "prim::layout": lambda tensor: LAYOUT_CODES[tensor.layout],
    "prim::name": lambda tensor: getattr(tensor, "name", None) or None,
    "prim::abs": torch.abs,
    "prim::type": lambda device: device.type,
    "prim::index": lambda device: device.index,
    "aten::device": torch.device,
    "aten::device.with_index": torch.device,
    "aten::size": lambda tensor: list(tensor.shape),
    "aten::stride": lambda tensor: list(tensor.stride()),
    "aten::len.Tensor": length,
    "aten::dim": torch.Tensor.dim,
    "aten::numel": torch.Tensor.numel,
    "aten::_unwrap_optional": unwrap_optional,
    "prim::unchecked_unwrap_optional": lambda value: value,
    "prim::unchecked_cast": lambda value: value,
    "prim::IfThenElse": lambda condition, x, y: x if condition else y,
    "prim::VarConcat": _variadic(torch.cat),
    "prim::VarStack": _variadic(torch.stack),
    "aten::_convolution": _convolution,
    "aten::einsum.sublist": torch.einsum,  # torch binds no operator with `...` to Python
    "prim::TimePoint": time.time_ns,
    "prim::EnumName": lambda member: member.name,
    **{f"prim::EnumValue.{kind}": lambda member: member.value for kind in ("int", "float", "str")},
    "prim::ReductionSizes": _reduction_sizes,
    "prim::BroadcastSizes": _broadcast_sizes,
    "aten::_infer_size": lambda a, b: list(broadcast_shapes(a, b)),
    "aten::_grad_sum_to_size": _grad_sum_to_size,
    "aten::split": _split,
    "aten::save": torch.save,
    "aten::manual_seed": _manual_seed,
    "aten::grad": _grad,
    "aten::backward": _backward,
    "aten::backward.TensorList": _backward,
    "aten::is_scripting": lambda: True,
    "prim::AutogradAllNonZero": lambda *values: all(map(_is_defined, _flat(values))),
    "prim::AutogradAllZero": lambda *values: not any(map(_is_defined, _flat(values))),
    "prim::AutogradAnyNonZero": lambda *values: any(map(_is_defined, _flat(values))),
    "prim::awaitable_nowait": internals.awaitable_nowait or _no_awaits,
    "prim::awaitable_wait": lambda awaited: awaited.wait(),
    "aten::has_torch_function": lambda *values: False,
    "aten::_get_tracing_state": lambda: False,
    "aten::is_grad_enabled": torch.is_grad_enabled,
    "aten::set_grad_enabled": internals.set_grad_enabled,
    "aten::is_autocast_enabled": torch.is_autocast_enabled,
    "aten::_no_grad_uniform_": _no_grad_uniform,
    "aten::_no_grad_normal_": _no_grad_normal,
    "aten::_no_grad_fill_": _no_grad("fill_"),
    "aten::_no_grad_zero_": _no_grad("zero_"),
    "aten::_no_grad_embedding_renorm_": _renorm,
}
