"""`with torch.autocast(...)` inside of a program.

torch's class, when it is scripted, only keeps its arguments: it is torch.jit's compiler that casts
what the operators in the block take. Here the block runs under torch.autocast itself.

Differs: which operators compute in which type is what eager does. torch.jit has lists of its own,
by which softmax, say, gives float32 on the CPU, too, and casts no bfloat16 to float16.

Source: torch/csrc/jit/passes/autocast.cpp.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import torch

from minits.ops.implementations.instances import slot_of
from minits.types import types as t
from minits.types.dtypes import DTYPES

_CLASSES = {
    f"__torch__.torch.{module}.autocast_mode.autocast" for module in ("amp", "cpu.amp", "cuda.amp")
}


def autocast_method(type: t.ClassType, name: str) -> Callable[..., Any] | None:
    """Return `__enter__` or `__exit__` of a class of autocast; None for another class or name."""
    return _METHODS.get(name) if type.name in _CLASSES else None


class _Entered(threading.local):
    """The autocast contexts that a thread has entered, the innermost last."""

    def __init__(self) -> None:
        self.contexts: list[torch.autocast] = []


_entered = _Entered()


def _enter(manager: Any) -> Any:
    device, dtype = slot_of(manager, "device"), DTYPES[slot_of(manager, "fast_dtype")]
    context = torch.autocast(device, dtype, slot_of(manager, "_enabled"))
    context.__enter__()
    _entered.contexts.append(context)
    return manager


def _exit(manager: Any, *exception: None) -> None:
    _entered.contexts.pop().__exit__(None, None, None)


_METHODS = {"__enter__": _enter, "__exit__": _exit}
