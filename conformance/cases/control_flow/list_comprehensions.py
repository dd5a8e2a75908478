"""Comprehensions over lists, ranges and tensors; their variable does not leak out."""

from typing import Dict, List

import torch


def program(values: List[int], x: torch.Tensor) -> List[float]:
    i = 100
    doubled = [i * 2 for i in values]
    squares = [float(j * j) for j in range(len(values))]
    rows = [row.sum() for row in x]
    table = {k: k * i for k in values}
    for pair in [(a, a + 1) for a in doubled]:
        squares.append(float(pair[0] * pair[1]))
    for row in rows:
        squares.append(float(row))
    for k in table:
        squares.append(float(table[k]))
    squares.append(float(i))
    return squares


def inputs():
    return [([1, 2], torch.ones(2, 2)), ([], torch.zeros(1, 3)), ([-1], torch.arange(4).view(2, 2))]
