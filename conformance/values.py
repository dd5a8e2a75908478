"""Values as JSON: every Python type kept apart, every float kept exactly.

`{"int": 3}` and `{"float": "3.0"}` are different values, as are a list and a tuple; a dict keeps
its order. Objects of classes are told by their attributes, generators by their seeds. Tensors carry
dtype, shape, device and requires_grad, and their elements as nested lists.
"""

from __future__ import annotations

from typing import Any

import torch

_SCALARS = {int: "int", bool: "bool", str: "str", type(None): "none"}


def encode(value: Any) -> Any:
    """`value` as JSON data."""
    scalar = _SCALARS.get(type(value))
    if scalar:
        return {scalar: value}
    if isinstance(value, float):
        return {"float": repr(value)}
    if isinstance(value, complex):
        return {"complex": [repr(value.real), repr(value.imag)]}
    if isinstance(value, torch.Tensor):
        return {"tensor": _tensor(value)}
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        fields = {name: encode(getattr(value, name)) for name in value._fields}
        return {"named_tuple": {"name": type(value).__name__, "fields": fields}}
    if isinstance(value, list | tuple):
        return {type(value).__name__: [encode(item) for item in value]}
    if isinstance(value, dict):
        return {"dict": [[encode(key), encode(item)] for key, item in value.items()]}
    if isinstance(value, torch.Generator):
        return {"generator": {"device": str(value.device), "seed": value.initial_seed()}}
    if " at 0x" in str(value) and hasattr(value, "__dict__"):  # its place in memory says nothing
        held = {name: encode(item) for name, item in vars(value).items()}
        return {"object": {"class": _type_name(value), "attributes": held}}
    return {"other": f"{_type_name(value)} {value}"}


def _tensor(value: torch.Tensor) -> dict[str, Any]:
    return {
        "dtype": str(value.dtype).removeprefix("torch."),
        "shape": list(value.shape),
        "device": str(value.device),
        "requires_grad": value.requires_grad,
        **_quantizer(value),
        "values": _elements(_plain(value.detach()).tolist()),
    }


def _plain(value: torch.Tensor) -> torch.Tensor:
    return value.dequantize() if value.is_quantized else value


def _quantizer(value: torch.Tensor) -> dict[str, Any]:
    """How the integers of a quantized tensor become real numbers; nothing for other tensors."""
    if not value.is_quantized:
        return {}
    if value.qscheme() == torch.per_tensor_affine:
        return {"scale": repr(value.q_scale()), "zero_point": value.q_zero_point()}
    scales, points = value.q_per_channel_scales(), value.q_per_channel_zero_points()
    return {"scales": _elements(scales.tolist()), "zero_points": _elements(points.tolist())}


def _elements(value: Any) -> Any:
    if isinstance(value, list):
        return [_elements(item) for item in value]
    if isinstance(value, complex):
        return [repr(value.real), repr(value.imag)]
    return repr(value) if isinstance(value, float) else value


def _type_name(value: Any) -> str:
    """The type's name, the same for torch.jit's own proxies of devices and the like."""
    return type(value).__name__
