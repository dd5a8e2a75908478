"""Small programs whose running time is interpretation: loops of scalars, containers, small tensors.

Each program takes the number of iterations first.
"""
# ruff: noqa: UP006, UP035, SIM108

from __future__ import annotations

from typing import Dict, List

import torch
from torch import Tensor


def identity(x: Tensor) -> Tensor:
    return x


def scalar_int(n: int) -> int:
    """Counters, a branch, a remainder."""
    total = 0
    odd = 0
    for i in range(n):
        if i % 3 == 0:
            total += i * 2
        else:
            odd += 1
    return total - odd


def scalar_float(n: int) -> float:
    """A sum of quotients: float arithmetic with a loop counter."""
    total = 0.0
    for i in range(n):
        x = i * 0.5 + 1.0
        total += x / (x * x + 1.0)
    return total


def scalar_wrapping(n: int) -> int:
    """A product that overflows in every step, and is compared: it must be wrapped each time."""
    state = 12345
    high = 0
    for _ in range(n):
        state = state * 6364136223846793005 + 1442695040888963407
        if state > 0:
            high += 1
    return high


def collatz(n: int) -> int:
    """A `while` loop whose bounds nothing is known of."""
    steps = 0
    for start in range(1, n // 20 + 2):
        x = start
        while x != 1:
            if x % 2 == 0:
                x = x // 2
            else:
                x = 3 * x + 1
            steps += 1
    return steps


def list_sieve(n: int) -> int:
    """Items of a list read and set."""
    prime = [True] * (n + 1)
    count = 0
    for i in range(2, n + 1):
        if prime[i]:
            count += 1
            for j in range(i + i, n + 1, i):
                prime[j] = False
    return count


def list_append(n: int) -> int:
    """A list that grows and is read again."""
    xs: List[int] = []
    for i in range(n):
        xs.append(i * i)
    total = 0
    for x in xs:
        total += x
    return total


def dict_count(n: int) -> int:
    """Counting in a dict."""
    counts: Dict[int, int] = {}
    for i in range(n):
        key = i % 97
        if key in counts:
            counts[key] += 1
        else:
            counts[key] = 1
    return len(counts) + counts[0]


def strings(n: int) -> int:
    """Strings made, joined and taken apart."""
    words: List[str] = []
    for i in range(n // 4):
        words.append("w" + str(i % 50))
    text = " ".join(words)
    return len(text.split(" ")) + text.count("w1")


def tensor_scale(n: int, x: Tensor) -> Tensor:
    """Tensor and number: x * 1.01 + 0.1."""
    for _ in range(n):
        x = x * 1.01 + 0.1
    return x


def tensor_pairs(n: int, x: Tensor) -> Tensor:
    """Two tensors: x + y, x * y."""
    y = x
    for _ in range(n):
        y = (x + y) * x
    return y


def tensor_cell(n: int, x: Tensor) -> Tensor:
    """A recurrent cell of small matrices."""
    h = torch.zeros_like(x)
    w = torch.ones([x.size(1), x.size(1)])
    for _ in range(n):
        h = torch.tanh(torch.mm(x, w) + torch.mm(h, w))
    return h
