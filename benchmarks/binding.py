"""Extra cost of the first call with a shape over later ones, for a kernel that has been built.

Launches for any sizes run such calls, so that this is mostly what it takes to look them up. Kernels
that they do not take, and shapes that come again, are bound to the shape: where each tensor lies is
worked out, and a launch is made.
"""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

import minits

MOST_MICROSECONDS = 50
_SHAPES = 12
"""Shapes of one function: as many are bound without asking whether they come again."""


def chain(x: Tensor, b: Tensor) -> Tensor:
    return torch.relu(x[:, ::2] * b) * 2 + 1


def rows(x: Tensor, b: Tensor) -> Tensor:
    return torch.softmax(x[:, ::2] * 0.5 + b, -1)


def two_groups(x: Tensor, w: Tensor) -> Tensor:
    y = x[:, ::2]
    h = torch.sigmoid(y * 0.5 + 1) * y
    return torch.tanh(torch.mm(h, w) * 0.5) + 1


def joined(x: Tensor, b: Tensor) -> Tensor:
    y = x[:, ::2]
    return torch.cat([torch.relu(y * b), y + b], 1)


PROGRAMS: dict[Callable[..., Tensor], tuple[int, ...]] = {
    chain: (8,),
    rows: (8,),
    two_groups: (8, 8),
    joined: (8,),
}
"""With the shape of the second argument."""


def binding_seconds(program: Callable[..., Tensor], rounds: int = 7) -> float:
    """Return the median over shapes of a first call, less later ones, in processor seconds."""
    before = os.environ.get("MINITS_PLANS", "disk")
    os.environ["MINITS_PLANS"] = "memory"  # what is written for the next process is another matter
    try:
        times = [found for _ in range(max(1, rounds)) for found in _of_one(minits.script(program))]
    finally:
        os.environ["MINITS_PLANS"] = before
    return statistics.median(times)


def _of_one(compiled: Any) -> list[float]:
    second = torch.randn(PROGRAMS[compiled.__wrapped__])
    times = []
    for count in range(40, 40 + _SHAPES):
        x = torch.randn(count, 16)
        first, *later = [_seconds(compiled, x, second) for _ in range(6)]
        times.append(first - min(later))
    return times[2:]


def _seconds(compiled: Any, *arguments: Tensor) -> float:
    started = time.thread_time()
    compiled(*arguments)
    return time.thread_time() - started
