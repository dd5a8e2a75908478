"""A refined value passes as the plain type; a plain value passes as an Optional; None too."""

from typing import List, Optional

import torch


def strict(x: torch.Tensor) -> torch.Tensor:
    return x * 2


def lenient(x: Optional[torch.Tensor], names: Optional[List[str]] = None) -> torch.Tensor:
    if names is None:
        names = ["one"]
    if x is None:
        return torch.full([len(names)], -1.0)
    return strict(x) + len(names)


def program(x: torch.Tensor, y: Optional[torch.Tensor]) -> torch.Tensor:
    total = lenient(x) + lenient(None, ["a", "b", "c"]).sum() + lenient(y, []).sum()
    if y is not None and y.numel() > 1:
        total = total + strict(y).sum()
    return total


def inputs():
    return [(torch.ones(2), None), (torch.ones(1), torch.tensor([3.0])), (torch.ones(2), torch.arange(2.0))]
