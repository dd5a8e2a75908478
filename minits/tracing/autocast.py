"""Operators within autocast: its kernel converts the arguments, and both are recorded.

    x @ y            within torch.autocast("cpu", dtype=torch.bfloat16), records
    %6 : Tensor = aten::to(%y, %15, %false, %false, %none)
    %11 : Tensor = aten::to(%x, %15, %false, %false, %none)
    %12 : Tensor = aten::matmul(%11, %6)

torch's dispatcher comes to autocast after the mode that records, so the mode runs the kernel of
autocast itself, and sees what that calls: conversions, then the operator, with autocast set aside.

Source: aten/src/ATen/autocast_mode.cpp.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch

from minits import torch_internals as internals
from minits.tracing.interface import tensors_of


def autocast_key(func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any | None:
    """Return the dispatch key of the autocast that acts on a call; None where there is none."""
    if not internals.is_any_autocast_enabled():
        return None
    devices = {tensor.device.type: None for tensor in tensors_of((args, kwargs))}
    enabled = [device for device in devices if torch.is_autocast_enabled(device)]
    keys = (internals.autocast_key_of(func, device) for device in enabled)
    return max((key for key in keys if key is not None), key=int, default=None)


@contextmanager
def own_autocast_cache() -> Iterator[None]:
    """Let autocast convert parameters anew, and forget what it converted meanwhile.

    A parameter that was converted before would be a constant of the trace, and one that a trace
    without gradients converts would have none afterwards.
    """
    is_on = internals.is_any_autocast_enabled()
    if is_on:
        torch.clear_autocast_cache()
    try:
        yield
    finally:
        if is_on:
            torch.clear_autocast_cache()
