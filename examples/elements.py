"""Loops over single elements of tensors, which run as C (docs/native.md).

    minits run examples/elements.py:time_warping --input "torch.randn(50)" --input "torch.randn(60)"
"""

import torch
from torch import Tensor


def time_warping(a: Tensor, b: Tensor) -> float:
    """The distance of two series, where either may run slower for a while."""
    n, m = a.size(0), b.size(0)
    cost = torch.full([n + 1, m + 1], float("inf"))
    cost[0, 0] = 0.0
    for i in range(n):
        for j in range(m):
            d = abs(float(a[i]) - float(b[j]))
            best = min(float(cost[i, j + 1]), float(cost[i + 1, j]), float(cost[i, j]))
            cost[i + 1, j + 1] = d + best
    return float(cost[n, m])
