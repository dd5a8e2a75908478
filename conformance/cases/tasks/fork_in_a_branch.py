"""A branch forks, or makes a future of the other kind of work."""

import torch


def slow(x: torch.Tensor) -> torch.Tensor:
    for _ in range(3):
        x = x * 2
    return x


def fast(x: torch.Tensor) -> torch.Tensor:
    return x + 1


def program(x: torch.Tensor, is_slow: bool) -> torch.Tensor:
    if is_slow:
        task = torch.jit.fork(slow, x)
    else:
        task = torch.jit.fork(fast, x)
    return torch.jit.wait(task)


def inputs():
    return [(torch.ones(2), True), (torch.ones(2), False)]
