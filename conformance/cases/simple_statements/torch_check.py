"""torch._check is an assert, whose message is a text: of a bool, or of a tensor of one element."""

import torch


def program(x: torch.Tensor, n: int) -> int:
    torch._check(n > 0)
    torch._check((x > 0).all(), "all")
    torch._check(message=f"count {n}", cond=x.numel() == n)
    return n


def inputs():
    return [(torch.ones(2), 2), (torch.ones(2), 0), (-torch.ones(2), 2), (torch.ones(2), 3)]
