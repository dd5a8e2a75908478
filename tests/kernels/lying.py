"""Tensors that lie in memory in all ways."""

from __future__ import annotations

from random import Random

import torch
from torch import Tensor

from minits.ops.eager_strides import Lying


def lying(x: Tensor) -> Lying:
    return Lying(tuple(x.shape), x.stride())


def any_shape(random: Random, least: int = 0) -> list[int]:
    rank = max(least, random.choice((0, 1, 2, 2, 3, 3, 4, 4, 5)))
    return [random.choice((0, 1, 1, 2, 2, 3, 4)) for _ in range(rank)]


def part_of(random: Random, shape: list[int]) -> list[int]:
    """A shape that broadcasts to another, or the same."""
    if random.random() < 0.6:
        return shape
    ones = [1 if random.random() < 0.15 else size for size in shape]
    return ones[random.randint(0, len(ones)) :] if random.random() < 0.2 else ones


def any_tensor(random: Random, shape: list[int], dtype: torch.dtype = torch.float32) -> Tensor:
    """A tensor of zeros and ones: dense in some order, with gaps, expanded, or overlapping."""
    if random.random() < 0.3:
        strides = [random.choice((0, 1, 1, 2, 3, 4, 5, 6, 8, 12, 24)) for _ in shape]
    else:
        strides, step = [0] * len(shape), 1
        for dim in random.sample(range(len(shape)), len(shape)):
            strides[dim] = step
            step *= max(1, shape[dim]) * random.choice((1, 1, 1, 1, 2))
        for dim, size in enumerate(shape):
            if size == 1 and random.random() < 0.5:
                strides[dim] = random.choice((0, 1, 2, 7))
            elif random.random() < 0.1:
                strides[dim] = 0
    ones = torch.tensor([0, 1]).to(dtype).repeat(16384)
    return ones.as_strided(shape, strides)
