"""A shape is made of ints."""

import torch


def program(x: torch.Tensor) -> torch.Tensor:
    return x.view("flat")  # error
