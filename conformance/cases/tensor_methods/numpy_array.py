"""An array of numpy is no value of the language."""

import torch


def program(x: torch.Tensor) -> torch.Tensor:
    return x + x.numpy()  # error
