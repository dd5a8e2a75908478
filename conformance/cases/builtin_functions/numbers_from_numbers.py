"""int truncates, float and bool convert: of numbers, bools and one-element tensors."""

from typing import Tuple

import torch


def program(f: float, n: int, b: bool, x: torch.Tensor) -> Tuple[int, float, bool, int, float, int, bool]:
    return int(f), float(n), bool(n), int(b), float(b), int(x), bool(x)


def inputs():
    return [
        (2.9, 3, True, torch.tensor([1.5])),
        (-2.9, 0, False, torch.tensor(0)),
        (0.0, -1, True, torch.tensor([1, 2])),
    ]
