"""A dict is no list of numbers."""

from typing import Dict

import torch


def program(table: Dict[str, int]) -> torch.Tensor:
    return torch.tensor(table)  # error
