"""A Tensor is no default of a field, since all tuples would share it."""

from typing import NamedTuple

import torch


class Weighted(NamedTuple):
    x: torch.Tensor
    weight: torch.Tensor = torch.ones(1)


def program(x: torch.Tensor) -> torch.Tensor:
    return Weighted(x).weight  # error
