"""A call's result is no Future."""

import torch


def double(n: int) -> int:
    return n * 2


def program(n: int) -> int:
    task: torch.jit.Future[int] = double(n)  # error
    return torch.jit.wait(task)
