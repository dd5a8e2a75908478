"""A tensor has no such attribute; what Python adds to an object is not seen."""

import torch


def program(x: torch.Tensor) -> float:
    return x.scale_of_mine  # error
