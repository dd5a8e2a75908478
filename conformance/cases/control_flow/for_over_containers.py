"""for runs over lists, tuples, dict keys, strings and tensors, and binds nested targets."""

from typing import Dict, List, Tuple

import torch


def program(
    pairs: List[Tuple[int, Tuple[str, float]]], table: Dict[str, int], x: torch.Tensor
) -> Tuple[str, float, torch.Tensor]:
    text = ""
    total = 0.0
    for n, (name, value) in pairs:
        text += name * 1 if False else name
        total += n * value
    for key in table:
        text += key
        total += table[key]
    for c in "xy":
        text += c
    rows = torch.zeros_like(x[0])
    for row in x:
        rows = rows * 2 + row
    for item in (1, 2.5, 3):
        total += item
    return text, total, rows


def inputs():
    return [
        ([(1, ("a", 0.5))], {"k": 2, "j": 3}, torch.arange(6).view(3, 2)),
        ([], {}, torch.ones(1, 3)),
    ]
