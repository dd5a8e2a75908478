"""str writes a value as print does."""

from typing import List, Tuple

import torch


def program(n: int, f: float, v: List[int], t: Tuple[int, str], x: torch.Tensor) -> List[str]:
    return [str(n), str(f), str(v), str(t), str(x), str(True), str(None)]


def inputs():
    return [(1, 0.5, [1, 2], (1, "a"), torch.tensor([1])), (-1, 1e20, [], (0, ""), torch.zeros(0))]
