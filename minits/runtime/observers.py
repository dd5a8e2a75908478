"""Whether somebody looks at single operators, so that none may be fused.

`torch.func` transforms and `vmap` wrap tensors, dispatch modes (FakeTensorMode, profilers of
operators) see every call, autocast casts the arguments of some operators.
"""

from __future__ import annotations

import torch

_functorch_level = torch._C._functorch.maybe_current_level
_dispatch_modes = torch._C._len_torch_dispatch_stack
_is_any_autocast_enabled = torch._C._is_any_autocast_enabled


def is_observed() -> bool:
    return _functorch_level() is not None or _dispatch_modes() > 0 or _is_any_autocast_enabled()


def observer() -> str:
    """Return what is on, for people."""
    if _functorch_level() is not None:
        return "a torch.func transform"
    return "a dispatch mode" if _dispatch_modes() else "torch.autocast"
