"""`int(x.item())` of a float goes through 32 bits."""

import torch


def program(x: torch.Tensor) -> int:
    return int(x.item())


def inputs():
    numbers = [1.9, 2147483647.0, 2147483648.0, -3e9, float("nan"), 2 + 0j, 2 + 1j, 3_000_000_000]
    return [(torch.tensor(n, dtype=torch.float64 if type(n) is float else None),) for n in numbers]
