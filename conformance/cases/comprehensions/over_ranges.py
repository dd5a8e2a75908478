"""A comprehension walks a range, a string, enumerate, zip, a dict's keys or items, a tensor's rows."""

from typing import Dict, List, Tuple

import torch


def program(n: int, table: Dict[str, int], x: torch.Tensor) -> Tuple[List[int], List[str], List[int]]:
    steps = [i * i for i in range(n, 0, -2)]
    keys = [k + str(i) for i, k in enumerate(table)]
    sums = [int(row.sum()) + v for row, v in zip(x, table.values())]
    return steps, keys, sums


def inputs():
    return [(5, {"a": 1, "b": 2}, torch.ones(2, 2)), (0, {}, torch.zeros(1, 1))]
