"""CUDA: the current device and stream, and the driver.

`torch.cuda._utils`, 2.8. Without it: ctypes, as there.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any, cast

import torch

cuda_device: Callable[[], int] | None = getattr(torch._C, "_cuda_getDevice", None)
"""The current device, 1.13; None in builds for the CPU."""

cuda_stream: Callable[[int], int] | None = getattr(torch._C, "_cuda_getCurrentRawStream", None)
"""The current stream of a device, as the driver knows it, 1.13; None in builds for the CPU."""


def cuda_driver() -> ctypes.CDLL:
    """Return the library of the CUDA driver. The name of 2.9 is another than that of later ones."""
    from torch.cuda import _utils

    load = getattr(_utils, "_get_gpu_runtime_library", None) or _utils._get_cuda_library
    return cast(ctypes.CDLL, load())


def load_cuda_module(binary: bytes, names: list[str]) -> dict[str, Any]:
    """Load a compiled module into the current context, and return its functions by name."""
    from torch.cuda._utils import _cuda_load_module

    return cast("dict[str, Any]", _cuda_load_module(binary, names))


def check_cuda(status: int) -> None:
    """Raise RuntimeError, with the driver's words, if a call of the driver has failed."""
    from torch.cuda._utils import _check_cuda

    _check_cuda(status)
