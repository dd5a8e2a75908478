"""Augmented assignment mutates a tensor or a list in place, and rebinds a number or a string."""

from typing import List, Tuple

import torch


def program(x: torch.Tensor, n: int) -> Tuple[torch.Tensor, torch.Tensor, List[int], str, float]:
    alias = x
    x += n
    x *= 2
    y = x - 1
    y -= alias
    values = [n]
    other = values
    values += [n + 1]
    text = "a"
    text += str(n)
    ratio = float(n)
    ratio /= 4
    other.append(len(values))
    return alias, y, values, text, ratio


def inputs():
    return [(torch.arange(3), 2), (torch.tensor([0.5, 1.5]), -1), (torch.zeros(0), 0)]
