"""A file of functions alone: they are programs."""
from typing import Optional

import torch


def first(x: Optional[torch.Tensor]) -> torch.Tensor:
    return x + 1  # E: TS402


def second(n: int) -> int:
    if n > 0:  # E: TS510
        z = 1
    return z


def third(x: torch.Tensor) -> torch.Tensor:
    return first(x)
