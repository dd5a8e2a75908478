"""`x.__getitem__(0)` is refused, though x[0] is not: only a subscript selects by a number."""

import torch


def program(x: torch.Tensor) -> torch.Tensor:
    return x.__getitem__(0)  # error
