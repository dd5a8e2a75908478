"""A function inside a function is not in the language."""

import torch


def program(x: torch.Tensor) -> torch.Tensor:
    x = x + 1

    def inner(y):  # error
        return y * 2

    return inner(x)
