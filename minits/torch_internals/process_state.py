"""The state of the process that eager reads: transforms, modes and autocast.

Without them: what a transform, a mode or autocast wants to see would be fused, and not be seen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import torch
from torch._ops import _len_torch_dispatch_stack_pre_dispatch
from torch.utils._device import DeviceContext
from torch.utils._python_dispatch import _disable_current_modes

functorch_level: Callable[[], int | None] = torch._C._functorch.maybe_current_level
"""The number of active transforms of `torch.func`, 2.4; None outside of all."""

dispatch_modes: Callable[[], int] = torch._C._len_torch_dispatch_stack
"""The number of active dispatch modes, such as FakeTensorMode, 1.13."""

_pre_dispatch_modes: Callable[[], int] = _len_torch_dispatch_stack_pre_dispatch
"""The number of active dispatch modes before all other keys, such as that of a trace, 2.1."""

function_modes: Callable[[], int] = torch._C._len_torch_function_stack
"""The number of active function modes, such as a default device, 1.13."""

is_any_autocast_enabled: Callable[[], bool] = torch._C._is_any_autocast_enabled
"""Whether autocast is on for any kind of device, 2.0. Without it: ask for each kind."""


IS_PROFILED = "profiler._is_profiler_enabled"
"""Whether a profiler of torch runs, 2.0: an expression for generated code, which names
`torch.autograd.profiler`."""


def watching_modes() -> int:
    """Return the number of active function modes that see each call of torch.

    A default device is one too, but changes only calls that make tensors.
    """
    modes = [torch._C._get_function_stack_at(at) for at in range(function_modes())]
    return sum(not isinstance(mode, DeviceContext) for mode in modes)


with_functions: Any = torch._C._EnableTorchFunction
"""Context manager that lets tensor classes be asked for their `__torch_function__` again, 2.0."""

without_functions: Any = torch._C.DisableTorchFunction
without_transforms: Any = torch._C._DisableFuncTorch
without_autocast: Any = torch._C._DisableAutocast
without_modes: Any = _disable_current_modes
"""Context managers that set aside `__torch_function__` with all function modes, transforms,
autocast, and dispatch modes, 2.0."""


@contextmanager
def unseen_by_modes() -> Iterator[None]:
    """Let no mode of the caller see what is computed within."""
    with without_functions():
        if not (dispatch_modes() or _pre_dispatch_modes()):
            yield  # the manager of torch imports a lot
            return
        with without_modes():
            yield
