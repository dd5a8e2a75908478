"""The part of the CUDA driver that kernels need: modules, launches, a context in each thread.

torch finds the library; nothing here is loaded before the first kernel is built for a GPU.

Source: https://docs.nvidia.com/cuda/cuda-driver-api (launches, primary contexts, modules)
"""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any

import torch

from minits import torch_internals as internals
from minits.kernels.cuda.cubins import cubin_of

INVALID_CONTEXT = 201
"""The status of a launch in a thread that has no context: CUDA_ERROR_INVALID_CONTEXT."""

_SHARED_UNASKED = 48 << 10
"""Bytes of shared memory that a block may have without being allowed more."""
_MOST_DYNAMIC_SHARED = 8
"""CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES"""


def driver() -> Any:
    """Return the driver's library.

    Its functions have no `argtypes`: ctypes takes twice as long for a launch if they do. Numbers
    are handed over as C's int, then; what is wider, such as a stream, must be a `c_void_p`.
    """
    return internals.cuda_driver()


def load(text: str, names: list[str], device: int, shared: int = 0) -> list[Any]:
    """Load a text for a device, built before or now. Raises NvrtcMissing, NvrtcError.

    Returns torch's handles of the functions, which keep their module. `shared` is the number of
    bytes of shared memory with which they will be launched.
    """
    torch.cuda.init()
    major, minor = torch.cuda.get_device_capability(device)
    binary = cubin_of(text, f"sm_{major}{minor}")
    with torch.cuda.device(device):
        bind_context(device)
        found = internals.load_cuda_module(binary, names)
        for name in names if shared > _SHARED_UNASKED else ():
            check(driver().cuFuncSetAttribute(found[name].func, _MOST_DYNAMIC_SHARED, shared))
    return [found[name] for name in names]


def most_shared_memory(device: int) -> int:
    """Return the bytes of shared memory that a block of the device may have."""
    properties = torch.cuda.get_device_properties(device)
    return int(getattr(properties, "shared_memory_per_block_optin", _SHARED_UNASKED))


def bind_context(device: int) -> None:
    """Make torch's context of a device that of this thread.

    torch's own calls do so when they first need one. Calls of the driver do not, and choosing the
    device that is chosen already does nothing: a new thread has device 0 without its context.
    """
    check(driver().cuCtxSetCurrent(_primary_context(device)))


@cache
def _primary_context(device: int) -> ctypes.c_void_p:
    """Return the context of a device that torch, too, uses; it is kept until the process ends."""
    library = driver()
    handle, context = ctypes.c_int(), ctypes.c_void_p()
    check(library.cuDeviceGet(ctypes.byref(handle), device))
    check(library.cuDevicePrimaryCtxRetain(ctypes.byref(context), handle))
    return context


def check(status: int) -> None:
    """Raise RuntimeError, with the driver's words, if a call has failed."""
    internals.check_cuda(status)
