"""`torch.Generator()` is called when the program is compiled: all calls share one generator."""

from typing import List

import torch


def program(n: int) -> List[torch.Tensor]:
    results: List[torch.Tensor] = []
    for _ in range(n):
        generator = torch.Generator()
        results.append(torch.rand(1, generator=generator))
    other = torch.Generator()
    results.append(torch.rand(1, generator=other))
    return results


def inputs():
    return [(2,), (1,), (0,)]
