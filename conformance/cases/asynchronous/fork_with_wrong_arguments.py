"""A forked function's arguments are checked as in a call."""

import torch


def square(x: torch.Tensor) -> torch.Tensor:
    return x * x


def program(x: torch.Tensor) -> torch.Tensor:
    task = torch.jit.fork(square, x, 2)  # error
    return torch.jit.wait(task)
