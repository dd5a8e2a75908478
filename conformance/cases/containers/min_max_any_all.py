"""min, max, sum, any, all, abs and len over lists and pairs, of ints and of floats."""

from typing import List, Tuple

import torch


def program(a: List[int], b: List[float], x: torch.Tensor) -> Tuple[List[float], List[bool]]:
    numbers = [float(min(a)), float(max(a)), min(b), max(b), float(sum(a)), sum(b)]
    numbers += [min(1.5, b[0]), float(max(a[0], 2)), float(len(x)), abs(b[0]), float(abs(a[0]))]
    flags = [any([n > 2 for n in a]), all([n > 0.0 for n in b]), any(a), all(a)]
    return numbers, flags


def inputs():
    return [
        ([1, 2, 3], [0.5, -1.5], torch.zeros(4)),
        ([0, -5], [2.0], torch.zeros(1, 7)),
        ([1], [float("nan"), 1.0], torch.zeros(2)),
        ([], [1.0], torch.zeros(2)),
    ]
