"""`_awaitable_nowait` makes an Await of a value; its attributes are those of the value."""

from typing import Tuple

import torch


def program(x: torch.Tensor, n: int) -> Tuple[torch.Tensor, int]:
    later = torch.jit._awaitable_nowait(x)
    return later.sin(), torch.jit._awaitable_wait(torch.jit._awaitable_nowait(n))


def inputs():
    return [(torch.ones(2), 3)]
