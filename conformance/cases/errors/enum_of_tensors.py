"""The values of an enum are ints, floats or strings, no tensors."""

from enum import Enum

import torch


class Weight(Enum):
    HALF = torch.tensor(0.5)
    FULL = torch.tensor(1.0)


def program(weight: Weight) -> str:  # error
    return weight.name
