"""An assert takes whatever an if takes: bools, numbers and one-element tensors."""

import torch


def program(x: torch.Tensor, n: int) -> int:
    assert n
    assert x.sum() > 0
    assert x.numel() == n, "count"
    return n


def inputs():
    return [(torch.ones(2), 2), (torch.ones(2), 0), (-torch.ones(2), 2), (torch.ones(2), 3)]
