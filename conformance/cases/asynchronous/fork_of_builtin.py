"""A builtin function is forked like one of one's own."""

import torch


def program(x: torch.Tensor) -> torch.Tensor:
    task = torch.jit.fork(torch.relu, x)
    return torch.jit.wait(task)


def inputs():
    return [(torch.tensor([-1.0, 1.0]),), (torch.zeros(0),)]
