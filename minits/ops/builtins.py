"""Which operator a Python function is: `torch.add` is `aten::add`, `math.floor` is `aten::floor`.

Every callable of torch's operator namespaces is the operator of its name, except some functions of
`torch.functional` that TorchScript compiles from their source.

Source: torch/jit/_builtins.py and the `_register_builtin` calls in torch.
"""

from __future__ import annotations

import cmath
import math
import warnings
from collections import OrderedDict
from functools import cache
from typing import Any

import torch

_NAMESPACES = (
    torch, torch._C._nn, torch._C._fft, torch._C._linalg, torch._C._nested, torch._C._sparse,
    torch._C._special,
)  # fmt: skip
_FROM_SOURCE = ("stft istft lu cdist norm unique unique_consecutive tensordot").split()

_SAME_NAME = (
    "ceil copysign erf erfc exp expm1 fabs floor gamma lgamma log log10 log1p pow sqrt "
    "isnan asinh atanh cosh sinh tanh acos asin atan atan2 cos sin tan acosh fmod modf "
    "factorial frexp isinf degrees radians ldexp gcd isfinite"
).split()
_COMPLEX_SAME_NAME = (
    "isnan isfinite isinf log log10 sqrt exp sin tan cos asin acos atan sinh cosh tanh "
    "asinh acosh atanh"
).split()
_VARIADIC = (
    "stft istft cdist norm unique_dim unique_consecutive nuclear_norm frobenius_norm tensordot"
).split()


def _own() -> list[tuple[Any, str]]:
    """Functions that are no attribute of a namespace, or are called differently there."""
    nn = torch.nn
    utils = nn.modules.utils
    return [
        (utils._pair, "aten::_pair"),
        (utils._quadruple, "aten::_quadruple"),
        (utils._single, "aten::_single"),
        (utils._triple, "aten::_triple"),
        (utils._list_with_default, "aten::list_with_default"),
        (OrderedDict, "aten::dict"),
        (dict, "aten::dict"),
        (torch.backends.cudnn.is_acceptable, "aten::cudnn_is_acceptable"),
        *((getattr(math, name), f"aten::{name}") for name in _SAME_NAME),
        (math.remainder, "aten::mathremainder"),
        *((getattr(cmath, name), f"aten::{name}") for name in _COMPLEX_SAME_NAME),
        (cmath.phase, "aten::angle"),
        (cmath.rect, "aten::polar"),
        (torch.autograd.grad, "aten::grad"),
        (torch.autograd.backward, "aten::backward"),
        (torch._C._infer_size, "aten::_infer_size"),
        (torch.broadcast_shapes, "aten::broadcast_shapes"),
        (nn.functional._no_grad_embedding_renorm_, "aten::_no_grad_embedding_renorm_"),
        (nn.functional.assert_int_or_pair, "aten::_assert_int_or_pair"),
        (nn.init._no_grad_fill_, "aten::_no_grad_fill_"),
        (nn.init._no_grad_normal_, "aten::_no_grad_normal_"),
        (nn.init._no_grad_uniform_, "aten::_no_grad_uniform_"),
        (nn.init._no_grad_zero_, "aten::_no_grad_zero_"),
        (torch._C._get_tracing_state, "aten::_get_tracing_state"),
        (torch._C._get_cpu_capability, "aten::_get_cpu_capability"),
        (warnings.warn, "aten::warn"),
        *((getattr(torch._VF, name), f"aten::{name}") for name in _VARIADIC),
        (torch._jit_internal.is_scripting, "aten::is_scripting"),
        (torch.overrides.has_torch_function, "aten::has_torch_function"),
        (torch.overrides.has_torch_function_unary, "aten::has_torch_function"),
        (torch.overrides.has_torch_function_variadic, "aten::has_torch_function"),
    ]


_TORCH_JIT = "torch.jit"
_BY_NAME: dict[tuple[str, str], str] = {
    (_TORCH_JIT, "_unwrap_optional"): "aten::_unwrap_optional",
    (_TORCH_JIT, "wait"): "aten::wait",
    (_TORCH_JIT, "_awaitable_wait"): "prim::awaitable_wait",
    (_TORCH_JIT, "_awaitable_nowait"): "prim::awaitable_nowait",
}
"""Functions of torch.jit, which is not imported here: known by their module and name."""


@cache
def _table() -> dict[int, tuple[Any, str]]:
    """Operators by the identity of the function; later entries win, as in torch."""
    pairs = _own()
    excluded = {getattr(torch.functional, name) for name in _FROM_SOURCE}
    excluded |= {torch.no_grad, torch.autocast}
    for namespace in _NAMESPACES:
        for name in dir(namespace):
            value = getattr(namespace, name)
            if callable(value) and not (_is_hashable(value) and value in excluded):
                pairs.append((value, f"aten::{name.replace('_segment_reduce', 'segment_reduce')}"))
    return {id(value): (value, operator) for value, operator in pairs}


def _is_hashable(value: Any) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True


def find_builtin(function: Any) -> str | None:
    """Return the operator that a Python callable is, or None."""
    found = _table().get(id(function))
    if found is not None:
        return found[1]
    if isinstance(function, torch._ops.OpOverloadPacket):
        name: str = function._qualified_op_name
        return name
    return _BY_NAME.get(qualified_in_torch_jit(function))


def qualified_in_torch_jit(function: Any) -> tuple[str, str]:
    """Return ("torch.jit", name) for a function of torch.jit, else its own module and name."""
    module = getattr(function, "__module__", None) or ""
    name = getattr(function, "__name__", "")
    root = _TORCH_JIT
    return (root, name) if module == root or module.startswith(root + ".") else (module, name)
