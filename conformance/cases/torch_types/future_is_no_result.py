"""A Future is not its result."""

import torch


def square(x: torch.Tensor) -> torch.Tensor:
    return x * x


def program(x: torch.Tensor) -> torch.Tensor:
    future = torch.jit.fork(square, x)
    y = torch.jit.wait(future)
    return y + future  # error
