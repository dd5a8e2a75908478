"""A tuple in a variable is no subscript: its members are to be written out."""

import torch


def program(x: torch.Tensor, i: int) -> torch.Tensor:
    place = (i, 0)
    return x[place]  # error
