"""Masks are tensors like others."""

import torch


def program(x, mask):
    return torch.where(mask, x, torch.zeros(())), x.masked_fill(mask, -1e9), x.masked_select(mask)


def example():
    return (torch.linspace(-1.0, 1.0, 6).view(2, 3), torch.tensor([[True, False, True]]).expand(2, 3).clone())


def inputs():
    return [(torch.linspace(-1.0, 1.0, 6).view(2, 3), torch.tensor([[True, False, True]]).expand(2, 3).clone())]
