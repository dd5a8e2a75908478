"""A list of complex numbers makes no tensor, not even an empty one."""

from typing import List

import torch


def program(zs: List[complex]) -> torch.Tensor:
    return torch.tensor(zs)


def inputs():
    return [([1j],), ([],)]
