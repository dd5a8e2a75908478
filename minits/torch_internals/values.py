"""Values other than plain tensors: futures, quantized tensors, remote references."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

FUTURE: type = torch._C.Future
"""The class of what `torch.jit.fork` gives; `torch.futures.Future` inherits from it."""

awaitable_nowait: Callable[[Any], Any] | None = getattr(torch._C, "_awaitable_nowait", None)
"""`torch.jit._awaitable_nowait`, 2.0; None in builds without it."""


awaitable: Callable[..., Any] = torch._C._awaitable
"""The function beneath `torch.jit._awaitable`, 2.0: a call that is made when it is waited for."""


empty_quantized: Callable[..., Any] = torch._empty_affine_quantized
empty_quantized_by_channel: Callable[..., Any] = torch._empty_per_channel_affine_quantized
"""Quantized tensors whose storage is still to be set, 1.13. Without them:
`torch.quantize_per_tensor` of an empty tensor, which refuses some zero points."""


distributed_autograd: Any = getattr(torch._C, "_distributed_autograd", None)
"""The functions beneath `torch.distributed.autograd`, 1.4; None in builds without remote calls."""


def is_remote_reference(value: Any) -> bool:
    """Return whether a value is a reference of `torch.distributed.rpc`, in builds that have it."""
    distributed = getattr(torch._C, "_distributed_rpc", None)
    return distributed is not None and isinstance(value, distributed.PyRRef)
