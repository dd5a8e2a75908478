"""Sizes within the numbers that `torch.tensor` takes are constants."""

import torch


def program(x):
    sizes = torch.tensor([x.shape[0], 2])
    table = torch.tensor([[x.size(0), x.size(1)], [1, 2]], dtype=torch.float32)
    return sizes * 1, table + 1, torch.tensor(x.shape) * 2, x.new_tensor([x.numel(), 0.5]) * 3


def example():
    return (torch.linspace(-1.0, 1.0, 6).view(2, 3),)


def inputs():
    return [(torch.linspace(-1.0, 1.0, 6).view(2, 3),), (torch.linspace(-1.0, 1.0, 3).view(1, 3),)]
