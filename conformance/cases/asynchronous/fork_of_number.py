"""What is forked is a function."""

import torch


def program(n: int) -> int:
    task = torch.jit.fork(n, n)  # error
    return torch.jit.wait(task)
