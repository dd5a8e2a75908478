"""Complex scalars mix with ints and floats, and take tensors along."""

from typing import List, Tuple

import torch


def program(z: complex, x: float, n: int) -> Tuple[List[complex], float, torch.Tensor]:
    w = complex(x, n)
    values = [z + w, z * n, x - z, z / w, 1j * z]
    return values, abs(z) + abs(w), torch.full([2], 1.0) * z


def inputs():
    return [(1 + 2j, 0.5, 3), (-1j, -2.0, 1), (0j, 1.0, -1)]
