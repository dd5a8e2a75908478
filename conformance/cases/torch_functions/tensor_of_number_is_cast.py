"""`torch.tensor(x, dtype=...)` first has the number's own dtype and is then cast, never refused."""

from typing import List

import torch


def program(n: int, x: float, z: complex) -> List[torch.Tensor]:
    return [
        torch.tensor(n, dtype=torch.uint8),
        torch.tensor(n, dtype=torch.int8),
        torch.tensor(n, dtype=torch.bool),
        torch.tensor(n, dtype=torch.float16),
        torch.tensor(x, dtype=torch.uint8),
        torch.tensor(x, dtype=torch.int32),
        torch.tensor(x, dtype=torch.float64),
        torch.tensor(z, dtype=torch.float32),
        torch.as_tensor(n, dtype=torch.uint8),
        torch.as_tensor(x, dtype=torch.int16),
        torch.as_tensor(z, dtype=torch.float64),
    ]


def inputs():
    return [(300, -3.5, 1 + 2j), (-1, 0.1, 0.5j), (70000, 255.9, -1.5 + 0j), (1, 1e39, 0j)]
