"""is_tracing() is false in a compiled function, is_scripting() true; neither is known to select a branch but in its if."""

from typing import Tuple

import torch


def program(n: int) -> Tuple[bool, bool, int]:
    if torch.jit.is_tracing():
        n = n * 100
    if torch.jit.is_scripting():
        n = n + 1
    else:
        n = n.no_such_method()
    return torch.jit.is_tracing(), torch.jit.is_scripting(), n


def inputs():
    return [(1,), (-1,)]
