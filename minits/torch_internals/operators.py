"""The operators that are registered: their schemas, kernels and bindings.

Without them: a copy of native_functions.yaml, and no operators of other libraries.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import torch

schemas_of_operator: Callable[[str], Any] = torch._C._jit_get_schemas_for_operator
"""The schemas of all overloads of a name, 1.13."""

operators_of_python: Any = getattr(torch.library, "_defs", ())
"""The operators that `torch.library` has registered for Python code, such as `aten::relu.mine`,
2.0. Without it: those that are registered after a program was compiled stay unknown."""

has_kernel: Callable[[str], bool] = torch._C._dispatch_has_kernel
"""Whether `name.overload` is registered with the dispatcher, 1.13."""

OPERATOR_PACKET = torch._ops.OpOverloadPacket
"""The class of `torch.ops.aten.add`; it is not documented, its objects are."""

C: Any = torch._C
NN, LINALG, SPECIAL = C._nn, C._linalg, C._special
FFT, SPARSE, NESTED = C._fft, C._sparse, C._nested
"""The namespaces of torch's generated bindings, 1.13: those of `torch.linalg` and others, as they
are before a library wraps the public ones. `C` itself has a few operators more."""

FUNCTIONS: Any = C._VariableFunctions
"""The bindings of `torch.add` and others, 1.13."""

TENSOR_BASE: type = C.TensorBase
"""The class that has the bindings of methods, 2.2. Without it: those of `torch.Tensor`."""

VF: Any = torch._VF
"""Functions that nn.functional calls past its own wrappers, such as `torch._VF.norm`, 1.13."""

set_grad_enabled: Callable[[bool], None] = torch._C._set_grad_enabled
"""The function beneath `torch.set_grad_enabled`, which is a context manager as well, 1.13."""

inner_convolution: Any = torch.ops.aten._convolution.default
"""The operator beneath all convolutions, with the flags of cuDNN, 1.13."""


def composite(function: Any, *args: Any, **kwargs: Any) -> Any:
    """Run an overload as the operators that it is made of, 2.0."""
    return kernel(function, torch._C.DispatchKey.CompositeImplicitAutograd, *args, **kwargs)


def schema_of(operator: Any) -> Any:
    """Return the schema of an overload of `torch.ops`, as dispatch modes are given it, 1.13."""
    return operator._schema


def operation(name: str, overload: str) -> tuple[Callable[..., Any], Any, list[Any]] | None:
    """Return the function, dispatch keys and tags of an overload, 1.13; None if there is none.

    Without it: `torch.ops`, which takes longer, since it makes an object for each overload first.
    """
    found: Any = torch._C._get_operation_overload(name, overload)
    return cast("tuple[Callable[..., Any], Any, list[Any]] | None", found)


def name_of_packet(packet: Any) -> str:
    """Return `aten::add` of `torch.ops.aten.add`. Without it: its `str`, `aten.add`."""
    name: str = packet._qualified_op_name
    return name


def kernel(function: Any, key: Any, *args: Any, **kwargs: Any) -> Any:
    """Run the kernel that an overload has for a dispatch key, 2.0."""
    return function._op_dk(key, *args, **kwargs)


def autocast_key_of(function: Any, device_type: str) -> Any | None:
    """Return the dispatch key for autocast on a kind of device, 2.0.

    None where the overload has no kernel of its own for it: autocast leaves such operators alone.
    """
    name = f"Autocast{torch._C._dispatch_key_for_device(device_type)}"
    is_cast = torch._C._dispatch_has_kernel_for_dispatch_key(function.name(), name)
    return getattr(torch._C.DispatchKey, name) if is_cast else None


def _call(function: Callable[..., Any], types: tuple[()], args: Any, named: Any) -> Any:
    return function(*args, **named)


in_binding = getattr(torch._C, "_disabled_torch_function_impl", _call)
"""Calls a function within one of torch's bindings, 1.13: these alone hand its warnings to Python,
which are written to stderr else. Meanwhile no tensor class is asked (`__torch_function__`)."""


def is_dispatched(name: str, overload: str) -> bool:
    """Return whether torch's dispatcher has an overload, 1.13: not all of torch.jit's operators.

    Without it: what `torch.ops` has, which is more.
    """
    try:
        torch._C._dispatch_find_schema_or_throw(name, overload)
    except RuntimeError:
        return False
    return True


CHECK: Any = getattr(torch, "_check", None)
"""`torch._check`, which raises RuntimeError unless a condition holds, 2.1."""
