"""Which operator a Python function is: `torch.add` is `aten::add`, `math.floor` is `aten::floor`.

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
from functools import cache
from typing import Any, NamedTuple

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
        (torch._C, "_infer_size", "aten::_infer_size"),
        (torch, "broadcast_shapes", "aten::broadcast_shapes"),
        (nn.functional, "_no_grad_embedding_renorm_", "aten::_no_grad_embedding_renorm_"),
        (nn.functional, "assert_int_or_pair", "aten::_assert_int_or_pair"),
        (nn.init, "_no_grad_fill_", "aten::_no_grad_fill_"),
        (nn.init, "_no_grad_normal_", "aten::_no_grad_normal_"),
        (nn.init, "_no_grad_uniform_", "aten::_no_grad_uniform_"),
        (nn.init, "_no_grad_zero_", "aten::_no_grad_zero_"),
        (torch._C, "_get_tracing_state", "aten::_get_tracing_state"),
        (torch._C, "_get_cpu_capability", "aten::_get_cpu_capability"),
        (warnings, "warn", "aten::warn"),
        *((torch._VF, name, f"aten::{name}") for name in _VARIADIC),
        (torch._jit_internal, "is_scripting", "aten::is_scripting"),
        (torch.overrides, "has_torch_function", "aten::has_torch_function"),
        (torch.overrides, "has_torch_function_unary", "aten::has_torch_function"),
        (torch.overrides, "has_torch_function_variadic", "aten::has_torch_function"),
    )


_TORCH_JIT = "torch.jit"
_BY_NAME: dict[tuple[str, str], str] = {
    (_TORCH_JIT, "_unwrap_optional"): "aten::_unwrap_optional",
    (_TORCH_JIT, "wait"): "aten::wait",
    (_TORCH_JIT, "_awaitable_wait"): "prim::awaitable_wait",
    (_TORCH_JIT, "_awaitable_nowait"): "prim::awaitable_nowait",
}
"""Functions of torch.jit, which is not imported here: known by their module and name."""


def _names(namespace: Any) -> list[str]:
    """The public names of a namespace, and torch's private ones; none that all objects have."""
    return [name for name in dir(namespace) if not name.startswith("__")]


class _Entry(NamedTuple):
    """A function that is an operator, and where it is to be found: the attribute of an object."""

    function: Any
    operator: str
    owner: Any
    name: str

    def is_current(self) -> bool:
        """Whether the function still is what its name means; one of C is the operator for ever."""
        if isinstance(self.function, types.BuiltinFunctionType):
            return True
        bound: Any = getattr(self.owner, self.name, None)
        return bound is self.function or inspect.unwrap(bound) is inspect.unwrap(self.function)


@cache
def _table() -> dict[int, _Entry]:
    """Operators by the identity of the function; later entries win, as in torch."""
    entries = [
        _Entry(getattr(owner, name), operator, owner, name) for owner, name, operator in _own()
    ]
    for namespace in (torch._C._VariableFunctions, *_NAMESPACES):
        found = (_entry_of(namespace, name) for name in _names(namespace))
        entries += [entry for entry in found if entry is not None]
    within = [entry._replace(function=inspect.unwrap(entry.function)) for entry in entries]
    return {id(entry.function): entry for entry in (*within, *entries)}


def _entry_of(namespace: Any, name: str) -> _Entry | None:
    """The entry of a namespace's attribute, None for what is no operator."""
    value = getattr(namespace, name, None)
    if not callable(value) or name in _FROM_SOURCE or value in (torch.no_grad, torch.autocast):
        return None
    if not _is_torchs(inspect.unwrap(value), name):
        return None  # somebody has put it there: it is what it does
    operator = f"aten::{name.replace('_segment_reduce', 'segment_reduce')}"
    return _Entry(value, operator, namespace, name)


def _is_torchs(function: Any, name: str) -> bool:
    """Whether torch's own files define a function, by this name; its `__module__` may be copied."""
    is_function = isinstance(function, (types.FunctionType, types.BuiltinFunctionType))
    if is_function and function.__name__.lstrip("_") != name.lstrip("_"):
        return False
    if not isinstance(function, types.FunctionType):
        return True
    return str(function.__globals__.get("__name__")).partition(".")[0] == "torch"


def _bound_since(function: Any) -> _Entry | None:
    """The entry of a function that took a name over when the table was made, such as a wrapper."""
    name = getattr(function, "__name__", None)
    if not isinstance(name, str):
        return None
    for namespace in _NAMESPACES:
        if _is_around(vars(namespace).get(name), function):
            return _entry_of(namespace, name)
    for owner, operator in _owners().get(name, ()):
        if _is_around(getattr(owner, name), function):
            return _Entry(function, operator, owner, name)
    return None


def _is_around(bound: Any, function: Any) -> bool:
    """Whether a function is what a name means, perhaps in further wrappers."""
    while bound is not function:
        if not hasattr(bound, "__wrapped__"):
            return False
        bound = bound.__wrapped__
    return True


@cache
def _owners() -> dict[str, list[tuple[Any, str]]]:
    """The objects of `_own` that have an attribute of a name."""
    found: dict[str, list[tuple[Any, str]]] = {}
    for owner, name, operator in _own():
        found.setdefault(name, []).append((owner, operator))
    return found


def find_builtin(function: Any) -> str | None:
    """Return the operator that a Python callable is, or None.

    What a name of torch means is asked for each time: libraries wrap torch's functions when they
    are imported (`torch._dynamo` does), and a program may be compiled before that and after it.
    """
    entry = _table().get(id(function))
    if entry is None or not entry.is_current():
        entry = _bound_since(function)
    if entry is not None:
        return entry.operator
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
