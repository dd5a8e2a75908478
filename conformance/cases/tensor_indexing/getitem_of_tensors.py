"""`x.__getitem__(...)` indexes by tensors, masks and None, or a tuple of them, as `x[...]` does."""

from typing import Tuple

import torch


def program(x: torch.Tensor, i: torch.Tensor) -> Tuple[torch.Tensor, torch.Tensor]:
    return x.__getitem__(i), x.__getitem__((None, i > 0))


def inputs():
    return [(torch.arange(4.0), torch.tensor([1, 2, 0, 3])), (torch.ones(2, 2), torch.tensor([1, 0]))]
