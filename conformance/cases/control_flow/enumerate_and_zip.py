"""enumerate and zip stop at the shortest, nest in each other and take a start value."""

from typing import List

import torch


def program(a: List[int], b: List[str], x: torch.Tensor) -> List[str]:
    lines: List[str] = []
    for i, item in enumerate(a):
        lines.append(str(i) + str(item))
    for i, item in enumerate(b, 5):
        lines.append(str(i) + item)
    for n, s in zip(a, b):
        lines.append(s + str(n))
    for i, (n, s) in enumerate(zip(a, b)):
        if i == 1:
            continue
        lines.append(s + str(n * i))
    for n, row, k in zip(a, x, range(1, 10, 3)):
        lines.append(str(int(row) + n * k))
    return lines


def inputs():
    return [
        ([1, 2, 3], ["x", "y"], torch.tensor([5, 6, 7, 8])),
        ([], ["z"], torch.tensor([1])),
        ([4], [], torch.tensor([1, 2])),
    ]
