"""Global state that a call may find: what is on in the process, or in the thread."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import Any

import torch
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode


class PlainMode(TorchDispatchMode):  # type: ignore[misc]
    """Sees each operator, and changes nothing."""

    def __torch_dispatch__(
        self, function: Any, types: Any, args: Any = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        return function(*args, **(kwargs or {}))


class NegatingMode(TorchDispatchMode):  # type: ignore[misc]
    """Gives the negative of each sine and hyperbolic tangent: who does not ask it is found out."""

    def __torch_dispatch__(
        self, function: Any, types: Any, args: Any = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        result = function(*args, **(kwargs or {}))
        is_turned = function in (torch.ops.aten.sin.default, torch.ops.aten.tanh.default)
        return torch.neg(result) if is_turned else result


@contextlib.contextmanager
def _set(setter: Callable[[Any], Any], value: Any, before: Any) -> Iterator[None]:
    setter(value)
    try:
        yield
    finally:
        setter(before)


def _double(tensor: Tensor) -> Tensor:
    return tensor.double() if tensor.is_floating_point() else tensor


Context = Callable[[], AbstractContextManager[Any]]

IN_PROCESS: dict[str, Context] = {
    "default dtype float64": lambda: _set(
        torch.set_default_dtype, torch.float64, torch.get_default_dtype()
    ),
    "default dtype bfloat16": lambda: _set(
        torch.set_default_dtype, torch.bfloat16, torch.get_default_dtype()
    ),
    "deterministic": lambda: _set(torch.use_deterministic_algorithms, True, False),
    "two threads": lambda: _set(torch.set_num_threads, 2, 1),
    "flush denormals": lambda: _set(torch.set_flush_denormal, True, False),
}
"""States of the whole process."""

IN_THREAD: dict[str, Context] = {
    "no_grad": torch.no_grad,
    "enable_grad": torch.enable_grad,
    "inference_mode": torch.inference_mode,
    "autocast bfloat16": lambda: torch.autocast("cpu", torch.bfloat16),
    "autocast float16": lambda: torch.autocast("cpu", torch.float16),
    "autocast off": lambda: torch.autocast("cpu", enabled=False),
    "default device meta": lambda: torch.device("meta"),
    "plain mode": PlainMode,
    "negating mode": NegatingMode,
    "saved tensors packed": lambda: torch.autograd.graph.saved_tensors_hooks(
        lambda x: x.clone(), lambda x: x
    ),
}
"""States of one thread."""

STATES: dict[str, Context] = {**IN_PROCESS, **IN_THREAD}


@contextlib.contextmanager
def entered(names: tuple[str, ...]) -> Iterator[None]:
    """Enter the states of these names, the first one first."""
    with contextlib.ExitStack() as stack:
        for name in names:
            stack.enter_context(STATES[name]())
        yield
