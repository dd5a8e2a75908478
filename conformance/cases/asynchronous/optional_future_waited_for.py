"""An Optional of a Future is tested before it is waited for."""

from typing import Optional

import torch


def square(x: torch.Tensor) -> torch.Tensor:
    return x * x


def program(x: torch.Tensor, n: int) -> torch.Tensor:
    future: Optional[torch.jit.Future[torch.Tensor]] = None
    if n > 0:
        future = torch.jit.fork(square, x)
    if future is not None:
        x = torch.jit.wait(future)
    return torch.jit.wait(future)  # error
