"""An element of another type."""
from typing import List

import torch


@torch.jit.script
def collected(n: int) -> List[int]:
    xs: List[int] = []
    for i in range(n):
        xs.append(str(i))  # E: TS402
    return xs
