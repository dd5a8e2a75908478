"""A dtype is an int, without the attributes that it has in Python; a Tensor knows such of itself."""

import torch


def program(x: torch.Tensor) -> bool:
    if x.is_floating_point():
        return True
    return x.dtype.is_floating_point  # error
