"""Tensors in lists are shared: changing one in place shows through every list that holds it."""

from typing import Dict, List, Tuple

import torch


def program(x: torch.Tensor, xs: List[torch.Tensor]) -> Tuple[List[torch.Tensor], Dict[str, torch.Tensor], torch.Tensor]:
    held = [x, x + 1, x]
    table = {"x": x, "first": xs[0]}
    held[0].add_(5)
    table["first"].mul_(2)
    xs.append(held[2])
    stacked = torch.stack(xs[1:]) if len(xs) > 1 else torch.cat(xs)
    return held, table, stacked


def inputs():
    return [
        (torch.zeros(2), [torch.ones(2), torch.arange(2.0)]),
        (torch.ones(1), [torch.ones(1)]),
        (torch.ones(1), []),
    ]
