"""bool, int, float and complex convert between each other, and bool from a tensor's item too."""

from typing import List, Tuple

import torch


def program(n: int, x: float, t: torch.Tensor) -> Tuple[List[bool], List[int], List[float]]:
    return [bool(n), bool(x), bool(t)], [int(x), int(n > 0), int(t)], [float(n), float(t)]


def inputs():
    return [(0, -0.9, torch.tensor(1.7)), (-2, 1e10, torch.tensor([0])), (1, 0.0, torch.tensor(True))]
