"""Tensors: their kinds, memory and versions, and guards of them."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import torch
from torch import Tensor
from torch.autograd.graph import increment_version

is_wrapped: Callable[[Tensor], bool] = torch._C._functorch.is_functorch_wrapped_tensor
"""Whether a transform of `torch.func` has wrapped a tensor, 1.13."""

is_batched: Callable[[Tensor], bool] = torch._C._functorch.is_legacy_batchedtensor
"""Whether a gradient stands for several, as under `is_grads_batched`, 2.4."""

is_functional: Callable[[Tensor], bool] = torch._is_functional_tensor
"""Whether a tensor has no memory of its own, but stands for another (`functionalize`), 1.13."""

conjugated: Callable[[Tensor], Tensor] = torch._conj
negated: Callable[[Tensor], Tensor] = torch._neg_view
"""The tensor with its conjugate or negative bit set, 1.13. Without them: a copy without the bit."""

_set_versions = getattr(torch._C._autograd, "_unsafe_set_version_counter", None)

TENSOR_GUARDS: Any = getattr(torch._C._dynamo.guards, "TensorGuards", None)
"""Compares tensors with earlier ones in C++, 2.0. Without it: the key of the call, in Python."""

empty_strided_cpu = getattr(torch._C._dynamo.guards, "_empty_strided_cpu", torch.empty_strided)
"""Half the cost of `torch.empty_strided`, which asks the dispatcher; the same tensor. 2.4."""

empty_strided_cuda = getattr(torch._C._dynamo.guards, "_empty_strided_cuda", None)
"""The same on the current CUDA device, 2.4; None in builds without it."""


MAKE_SUBCLASS = "_make_subclass"
"""The name of the method of `torch.Tensor` that makes parameters."""


def is_zero_tensor(tensor: Tensor) -> bool:
    """Return whether a tensor is zeros without memory, as some gradients are, 1.13."""
    found: bool = tensor._is_zerotensor()
    return found


def storage_of(tensor: Tensor) -> int:
    """Return a number by which tensors share their memory, those without data too, 2.0.

    Without it: `data_ptr`, which is zero of all meta tensors.
    """
    return number_of_storage(tensor.untyped_storage())


def number_of_storage(storage: torch.UntypedStorage) -> int:
    """Return a number that is the storage's alone as long as it is alive, 2.0.

    Without it: `data_ptr`, which is zero of all meta storages.
    """
    address: int = storage._cdata
    return address


def version_of(tensor: Tensor) -> int:
    """Return the number of changes in place; torch.autograd documents it by this name."""
    changes: int = tensor._version
    return changes


def add_to_version(tensor: Tensor, changes: int) -> None:
    """Count changes of a tensor's memory that torch has not made, 2.9.

    Tensors of inference mode count none. Without it: one change is counted for all.
    """
    if tensor.is_inference():
        return
    if _set_versions is None:
        increment_version(tensor)
    else:
        _set_versions((tensor,), (tensor._version + changes,))


def _by_questions(tensor: Tensor) -> Any:
    """Return the properties that dispatch keys tell, for a torch that has no number for them."""
    return tensor.layout, tensor.is_neg(), tensor.is_conj(), is_zero_tensor(tensor)


def _dispatch_keys() -> Callable[[Tensor], Any]:
    keys = getattr(torch._C, "_dispatch_keys", None)
    if keys is None or not hasattr(keys(torch.empty(0)), "raw_repr"):
        return _by_questions
    return lambda tensor: keys(tensor).raw_repr()


dispatch_keys = _dispatch_keys()
"""The kind of a tensor to torch's dispatcher: strided, sparse, nested, of another library,
with the negative or conjugate bit, a tensor of zeros without memory, wrapped by a transform, made
in inference mode. As a number: 2.6."""


def address_of_tensor(tensor: Tensor) -> int:
    """Return the number that a tensor of C++ is: the address of its content, 1.13."""
    address: int = tensor._cdata
    return address


_new_capsule = ctypes.pythonapi.PyCapsule_New
_new_capsule.restype = ctypes.py_object
_new_capsule.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]


def library_folder() -> Path:
    """Return the folder of torch's shared libraries, 1.13."""
    return Path(torch.__file__).parent / "lib"


def cpu_library() -> Path | None:
    """Return torch's library of the CPU, which has its C interface; None if it is not found."""
    names = ("libtorch_cpu.so", "libtorch_cpu.dylib")
    found = [path for name in names if (path := library_folder() / name).exists()]
    return found[0] if found else None


@cache
def _torch_library() -> ctypes.CDLL:
    return ctypes.CDLL(str(cpu_library()))


def _wrapped(handle: int) -> Tensor:
    tensor: Tensor = torch._C._aoti.alloc_tensor_by_stealing_from_void_ptr(
        _new_capsule(handle, None, None)
    )
    return tensor


def _copy_of(handle: int) -> int:
    """Return another handle of the tensor that a handle is of."""
    other = ctypes.c_void_p()
    _torch_library().aoti_torch_new_tensor_handle(ctypes.c_void_p(handle), ctypes.byref(other))
    assert other.value is not None
    return other.value


@cache
def _wrapping_copies() -> bool:
    """Return whether a handle that was wrapped is still one of the tensor, as in 2.13."""
    tensor = torch.empty(0)
    word = ctypes.c_int64(address_of_tensor(tensor))
    handle = _copy_of(ctypes.addressof(word))
    _wrapped(handle)
    copies = ctypes.c_int64.from_address(handle).value == address_of_tensor(tensor)
    if copies:
        _torch_library().aoti_torch_delete_tensor_object(ctypes.c_void_p(handle))
    return copies


def put_handle(tensor: Tensor, address: int) -> None:
    """Put a new handle of a tensor, for C, at an address, 2.2.

    Without it: programs with tensors do not run as C.
    """
    word = ctypes.c_int64(address_of_tensor(tensor))
    _torch_library().aoti_torch_new_tensor_handle(ctypes.byref(word), ctypes.c_void_p(address))


def tensor_of_handle(handle: int) -> Tensor:
    """Return the tensor that a handle of torch's C interface is of, 2.2.

    Without it: programs with tensors do not run as C.
    """
    return _wrapped(handle if _wrapping_copies() else _copy_of(handle))
