"""`Ellipsis` between the brackets means `...`."""

import torch


def program(x: torch.Tensor):
    return x[Ellipsis, 0], x[0, Ellipsis], x[0, Ellipsis, 1:], x[..., None, 1]


def inputs():
    return [(torch.arange(24.0).reshape(2, 3, 4),), (torch.ones(2, 2),), (torch.ones(2),)]
