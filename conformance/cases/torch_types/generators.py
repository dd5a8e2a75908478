"""A Generator is seeded, passed on and given to operators that draw numbers."""

from typing import List, Optional

import torch


def draw(n: int, generator: Optional[torch.Generator] = None) -> List[int]:
    if generator is None:
        return [-1]
    numbers: List[int] = torch.randint(0, 100, [n], generator=generator).tolist()
    return numbers


def program(generator: torch.Generator, seed: int) -> List[List[int]]:
    first = draw(3, generator.manual_seed(seed))
    both = [generator, generator]
    second = draw(3, both[seed % 2])
    both[0].manual_seed(seed)
    return [first, second, draw(3, both[1]), draw(2), [generator.initial_seed()]]


def inputs():
    return [(torch.Generator(), 1), (torch.Generator().manual_seed(5), 2)]
