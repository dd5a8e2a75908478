"""Operators of Python functions: `torch.add` is `aten::add`, `math.floor` is `aten::floor`.

Every callable of torch's operator namespaces is the operator of its name, except some functions of
`torch.functional` that TorchScript compiles from their source.

Source: torch/jit/_builtins.py and the `_register_builtin` calls in torch.
"""

from __future__ import annotations

import builtins
import cmath
import collections
import inspect
import math
import types
import warnings
from collections.abc import Iterator
from functools import cache
from typing import Any

import torch

from minits import torch_internals as internals

_NAMESPACES = (
    internals.SPECIAL, internals.SPARSE, internals.NESTED, internals.LINALG, internals.FFT,
    internals.NN, torch,
)  # fmt: skip
"""Namespaces that operators are bound in, in the order in which a name is looked up."""
_BINDINGS = tuple(map(vars, _NAMESPACES))
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


def _own() -> tuple[tuple[Any, str, str], ...]:
    """Functions that are no attribute of a namespace, or are called differently there."""
    nn = torch.nn
    utils = nn.modules.utils
    return (
        (utils, "_pair", "aten::_pair"),
        (utils, "_quadruple", "aten::_quadruple"),
        (utils, "_single", "aten::_single"),
        (utils, "_triple", "aten::_triple"),
        (utils, "_list_with_default", "aten::list_with_default"),
        (collections, "OrderedDict", "aten::dict"),
        (builtins, "dict", "aten::dict"),
        (torch.backends.cudnn, "is_acceptable", "aten::cudnn_is_acceptable"),
        *((math, name, f"aten::{name}") for name in _SAME_NAME),
        (math, "remainder", "aten::mathremainder"),
        *((cmath, name, f"aten::{name}") for name in _COMPLEX_SAME_NAME),
        (cmath, "phase", "aten::angle"),
        (cmath, "rect", "aten::polar"),
        (torch.autograd, "grad", "aten::grad"),
        (torch.autograd, "backward", "aten::backward"),
        (internals.C, "_infer_size", "aten::_infer_size"),
        (torch, "broadcast_shapes", "aten::broadcast_shapes"),
        (nn.functional, "_no_grad_embedding_renorm_", "aten::_no_grad_embedding_renorm_"),
        (nn.functional, "assert_int_or_pair", "aten::_assert_int_or_pair"),
        (nn.init, "_no_grad_fill_", "aten::_no_grad_fill_"),
        (nn.init, "_no_grad_normal_", "aten::_no_grad_normal_"),
        (nn.init, "_no_grad_uniform_", "aten::_no_grad_uniform_"),
        (nn.init, "_no_grad_zero_", "aten::_no_grad_zero_"),
        (internals.C, "_get_tracing_state", "aten::_get_tracing_state"),
        (internals.C, "_get_cpu_capability", "aten::_get_cpu_capability"),
        (warnings, "warn", "aten::warn"),
        *((internals.VF, name, f"aten::{name}") for name in _VARIADIC),
        (internals.JIT_INTERNAL, "is_scripting", "aten::is_scripting"),
        *_of_remote_gradients(),
        (torch.overrides, "has_torch_function", "aten::has_torch_function"),
        (torch.overrides, "has_torch_function_unary", "aten::has_torch_function"),
        (torch.overrides, "has_torch_function_variadic", "aten::has_torch_function"),
    )


def _of_remote_gradients() -> Iterator[tuple[Any, str, str]]:
    """Yield the functions of `torch.distributed.autograd`, which is not imported here."""
    if internals.distributed_autograd is not None:
        yield internals.distributed_autograd, "get_gradients", "aten::get_gradients"
        yield internals.distributed_autograd, "backward", "aten::dist_backward"


_TORCH_JIT = "torch.jit"
_FORMS = "minits.forms"
"""The module of those names of torch.jit that minits has for programs."""
_BY_NAME: dict[tuple[str, str], str] = {
    (_TORCH_JIT, "_unwrap_optional"): "aten::_unwrap_optional",
    (_TORCH_JIT, "wait"): "aten::wait",
    (_TORCH_JIT, "is_scripting"): "aten::is_scripting",
    (_TORCH_JIT, "_awaitable_wait"): "prim::awaitable_wait",
    (_TORCH_JIT, "_awaitable_nowait"): "prim::awaitable_nowait",
}
"""Functions of torch.jit, which is not imported here: known by their module and name."""


def find_builtin(function: Any) -> str | None:
    """Return the operator that a Python callable is, or None.

    Names of torch are looked up at each call: libraries wrap torch's functions when they are
    imported (`torch._dynamo` does), and a program may be compiled before and after.
    """
    if isinstance(function, internals.OPERATOR_PACKET):
        return internals.name_of_packet(function)
    found = _named(function) or _of_c(function)
    return found or _BY_NAME.get(qualified_in_torch_jit(function))


def _named(function: Any) -> str | None:
    """Return the operator of a function that is bound to its own name where operators are.

    Of torch's names one may begin with an underscore where the function's does not.
    """
    name = getattr(function, "__name__", None)
    if not isinstance(name, str):
        return None
    public = name.lstrip("_")
    for bound in (public, f"_{public}"):
        for bindings in _BINDINGS:
            value = bindings.get(bound)
            if value is not None and _is_around(value, function) and _is_operator(value, bound):
                return _operator(bound)
    for owner, bound, operator in _owners().get(public, ()):
        if _is_around(getattr(owner, bound), function):
            return operator
    return None


def _of_c(function: Any) -> str | None:
    """Return the operator of a builtin function, or None. It does not depend on later patches."""
    if not isinstance(function, types.BuiltinFunctionType):
        return None
    name = function.__name__
    is_torchs = getattr(internals.FUNCTIONS, name, None) is function
    is_operator = (is_torchs or function.__self__ in _NAMESPACES) and name not in _FROM_SOURCE
    return _operator(name) if is_operator else None


def _is_operator(value: Any, name: str) -> bool:
    """Return whether an object found under `name` in a namespace is an operator."""
    if not callable(value) or name in _FROM_SOURCE or value in (torch.no_grad, torch.autocast):
        return False
    return _is_torchs(inspect.unwrap(value), name)  # else it is what somebody has put there does


def _operator(name: str) -> str:
    return f"aten::{name.replace('_segment_reduce', 'segment_reduce')}"


def _is_torchs(function: Any, name: str) -> bool:
    """Return whether torch's own files define a function; its `__module__` may be copied."""
    is_function = isinstance(function, (types.FunctionType, types.BuiltinFunctionType))
    if is_function and function.__name__.lstrip("_") != name.lstrip("_"):
        return False
    if not isinstance(function, types.FunctionType):
        return True
    return str(function.__globals__.get("__name__")).partition(".")[0] == "torch"


def _is_around(bound: Any, function: Any) -> bool:
    """Return whether `bound` is the function, perhaps in further wrappers."""
    while bound is not function:
        if not hasattr(bound, "__wrapped__"):
            return False
        bound = bound.__wrapped__
    return True


@cache
def _owners() -> dict[str, list[tuple[Any, str, str]]]:
    """Return the rows of `_own` by name, without underscores; later rows of a name come first."""
    found: dict[str, list[tuple[Any, str, str]]] = {}
    for owner, name, operator in reversed(_own()):
        found.setdefault(name.lstrip("_"), []).append((owner, name, operator))
    return found


def qualified_in_torch_jit(function: Any) -> tuple[str, str]:
    """Return ("torch.jit", name) for a function of torch.jit, or ours of that name.

    Of others, return the module and name.
    """
    module = getattr(function, "__module__", None) or ""
    name = getattr(function, "__name__", "")
    root = _TORCH_JIT
    is_known = module in (root, _FORMS) or module.startswith(root + ".")
    return (root if is_known else module), name
