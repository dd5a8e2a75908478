"""A function that returns a generator returns the same one each time."""

from typing import Tuple

import torch


def make() -> torch.Generator:
    return torch.Generator()


def program(seed: int) -> Tuple[torch.Tensor, int]:
    make().manual_seed(seed)
    return torch.rand(2, generator=make()), make().initial_seed()


def inputs():
    return [(3,), (3,), (5,)]
