"""Plain functions: loops, lists, dicts, strings, early returns, NamedTuples.

    minits compile examples/functions.py:collatz --emit-ir
    minits compile examples/functions.py:collatz --emit=python
    minits run examples/functions.py:collatz --input 27
"""

from typing import Dict, List, NamedTuple, Optional

import torch
from torch import Tensor


class Summary(NamedTuple):
    mean: float
    largest: int
    label: Optional[str] = None


def collatz(n: int) -> int:
    """How many steps the Collatz sequence takes to reach 1."""
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


def count_words(text: str) -> Dict[str, int]:
    counts: Dict[str, int] = {}
    for word in text.lower().split():
        if word in counts:
            counts[word] += 1
        else:
            counts[word] = 1
    return counts


def edit_distance(a: List[int], b: List[int]) -> int:
    """How many insertions, deletions and replacements make `b` of `a`."""
    previous = list(range(len(b) + 1))
    for i in range(len(a)):
        row = [i + 1]
        for j in range(len(b)):
            replaced = previous[j] + (0 if a[i] == b[j] else 1)
            row.append(min(previous[j + 1] + 1, row[j] + 1, replaced))
        previous = row
    return previous[len(b)]


def summarize(values: List[int], label: Optional[str] = None) -> Summary:
    assert len(values) > 0, "no values"
    largest = values[0]
    total = 0
    for value in values:
        total += value
        if value > largest:
            largest = value
    if label is None:
        return Summary(total / len(values), largest)
    return Summary(total / len(values), largest, label.upper())


def newton_sqrt(x: Tensor, limit: int = 50) -> Tensor:
    """Newton's iteration, until nothing changes any more."""
    guess = torch.ones_like(x)
    for _ in range(limit):
        better = (guess + x / guess) / 2
        if bool(((better - guess).abs() < 1e-6).all()):
            break
        guess = better
    return guess
