"""A fork that nobody waits for is left out, with all that it would do."""

import torch


def grown(x: torch.Tensor) -> torch.Tensor:
    print("grown")
    x.add_(1)
    return x


def program(x: torch.Tensor, n: int) -> torch.Tensor:
    y = x + 1
    forgotten = torch.jit.fork(grown, y)
    for i in range(n):
        forgotten = torch.jit.fork(grown, y)
    waited = torch.jit.fork(grown, x)
    torch.jit.wait(waited)
    return y


def inputs():
    return [(torch.zeros(2), 0), (torch.zeros(2), 2)]
