"""`int(x)` and `float(x)` of a tensor refuse what the number cannot hold."""

from typing import Tuple

import torch


def program(x: torch.Tensor, y: torch.Tensor) -> Tuple[float, int]:
    return float(y), int(x)


def inputs():
    numbers = [1.9, -1.9, 9.3e18, float("nan"), float("inf"), 2 + 0j, 2 + 1j]
    calls = [(torch.tensor(n), torch.tensor(1)) for n in numbers]
    return calls + [(torch.tensor(1), torch.tensor(n)) for n in numbers]
