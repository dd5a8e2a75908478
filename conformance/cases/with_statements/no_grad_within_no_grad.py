"""no_grad blocks nest, and each gives back on leaving what it found."""

from typing import List

import torch


def program(x: torch.Tensor) -> List[bool]:
    found = [(x * 2).requires_grad]
    with torch.no_grad():
        with torch.no_grad():
            found.append((x * 3).requires_grad)
        found.append((x * 4).requires_grad)
    return found + [(x * 5).requires_grad]


def inputs():
    return [(torch.ones(1, requires_grad=True),), (torch.ones(1),)]
