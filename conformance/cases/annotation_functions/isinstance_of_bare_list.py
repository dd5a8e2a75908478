"""torch.jit.isinstance is told what a List holds."""

from typing import Any, List

import torch


def program(x: Any) -> bool:
    if torch.jit.isinstance(x, List[int]):
        return True
    return torch.jit.isinstance(x, List)  # error
