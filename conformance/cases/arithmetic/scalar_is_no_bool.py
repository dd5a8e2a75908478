"""A Scalar becomes an int or a float where one is wanted, but no bool."""

import torch


def program(t: torch.Tensor) -> bool:
    s = t.item()
    return s + 1  # error
