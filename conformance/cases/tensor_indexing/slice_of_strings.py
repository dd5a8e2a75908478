"""A slice's bounds are ints or None."""

import torch


def program(x: torch.Tensor) -> torch.Tensor:
    return x["a":"b"]  # error
