"""An await that nobody waits for is left out; one that is waited for is kept, used or not."""

import torch


def program(x: torch.Tensor) -> torch.Tensor:
    torch.jit._awaitable(torch.relu_, x)
    kept = torch.jit._awaitable(torch.neg, x)
    torch.jit._awaitable_wait(kept)
    changed = torch.jit._awaitable(torch.abs_, x)
    y = x + 1
    torch.jit._awaitable_wait(changed)
    return x + y


def inputs():
    return [(torch.tensor([1.0, -1.0]),)]
