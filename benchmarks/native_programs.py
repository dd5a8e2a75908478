"""Programs of numbers, lists and elements of tensors, with hot loops."""

from __future__ import annotations

import torch
from torch import Tensor

from benchmarks.programs_calls import (
    collatz,
    list_append,
    list_sieve,
    scalar_float,
    scalar_int,
    scalar_wrapping,
)


def mandelbrot(n: int) -> int:
    inside = 0
    for row in range(n):
        for column in range(n):
            re = float(column) * 3.0 / float(n) - 2.0
            im = float(row) * 2.0 / float(n) - 1.0
            x, y = 0.0, 0.0
            steps = 0
            while x * x + y * y <= 4.0 and steps < 50:
                x, y = x * x - y * y + re, 2.0 * x * y + im
                steps += 1
            if steps == 50:
                inside += 1
    return inside


def primes(n: int) -> int:
    found = 0
    for candidate in range(2, n):
        divisor = 2
        while divisor * divisor <= candidate and candidate % divisor != 0:
            divisor += 1
        if divisor * divisor > candidate:
            found += 1
    return found


def edit_distance(n: int) -> int:
    """Two texts of n letters, one row of a table at a time."""
    a = [i * i % 7 for i in range(n)]
    b = [i * 3 % 5 for i in range(n)]
    previous = [0]
    for j in range(n):
        previous.append(j + 1)
    for i in range(n):
        row = [i + 1]
        for j in range(n):
            cost = 0 if a[i] == b[j] else 1
            row.append(min([previous[j + 1] + 1, row[j] + 1, previous[j] + cost]))
        previous = row
    return previous[n]


def series(n: int) -> tuple[Tensor, Tensor, Tensor]:
    """Two series, and the table of their distances, which is still to be filled."""
    cost = torch.full([n + 1, n + 1], float("inf"))
    cost[0, 0] = 0.0
    return torch.sin(torch.arange(n) * 0.1), torch.cos(torch.arange(n) * 0.13), cost


def time_warping(n: int) -> float:
    """Dynamic time warping of two series: a table that is a tensor."""
    a, b, cost = series(n)
    for i in range(n):
        for j in range(n):
            d = abs(float(a[i]) - float(b[j]))
            best = min([float(cost[i, j + 1]), float(cost[i + 1, j]), float(cost[i, j])])
            cost[i + 1, j + 1] = d + best
    return float(cost[n, n])


def time_warping_of_tensors(n: int) -> float:
    """The same with tensors without dimensions instead of numbers."""
    a, b, cost = series(n)
    for i in range(n):
        for j in range(n):
            best = torch.min(cost[i, j + 1], torch.min(cost[i + 1, j], cost[i, j]))
            cost[i + 1, j + 1] = (a[i] - b[j]).abs() + best
    return float(cost[n, n])


def viterbi(n: int) -> int:
    """The best path through n steps of eight states."""
    score = torch.sin(torch.arange(n * 8) * 0.37).view(n, 8)
    change = torch.cos(torch.arange(64) * 0.71).view(8, 8)
    back = torch.zeros([n, 8], dtype=torch.long)
    for t in range(1, n):
        for j in range(8):
            best = float(score[t - 1, 0]) + float(change[0, j])
            state = 0
            for i in range(1, 8):
                s = float(score[t - 1, i]) + float(change[i, j])
                if s > best:
                    best = s
                    state = i
            score[t, j] = float(score[t, j]) + best
            back[t, j] = state
    last = 0
    for t in range(n - 1, 0, -1):
        last = int(back[t, last])
    return last


def suppression(n: int) -> int:
    """Greedy non-maximum suppression of n boxes."""
    corners = torch.sin(torch.arange(n * 2) * 0.9).view(n, 2)
    boxes = torch.cat([corners, corners + 0.5], 1)
    removed = torch.zeros([n], dtype=torch.bool)
    kept = 0
    for a in range(n):
        if bool(removed[a]):
            continue
        kept += 1
        for b in range(a + 1, n):
            left = max(float(boxes[a, 0]), float(boxes[b, 0]))
            top = max(float(boxes[a, 1]), float(boxes[b, 1]))
            right = min(float(boxes[a, 2]), float(boxes[b, 2]))
            bottom = min(float(boxes[a, 3]), float(boxes[b, 3]))
            inter = max(right - left, 0.0) * max(bottom - top, 0.0)
            if inter / (0.5 - inter) > 0.3:
                removed[b] = True
    return kept


def successor(n: int) -> int:
    while n < 0:
        n += 1
    return n + 1


OF_NUMBERS, OF_LISTS = 30.0, 10.0
"""Targets: speeds beside torch.jit's."""
HOT = (
    (scalar_int, 100_000, OF_NUMBERS), (scalar_float, 100_000, OF_NUMBERS),
    (scalar_wrapping, 100_000, OF_NUMBERS), (collatz, 10_000, OF_NUMBERS),
    (mandelbrot, 30, OF_NUMBERS), (primes, 5_000, OF_NUMBERS),
    (list_sieve, 100_000, OF_LISTS), (list_append, 100_000, OF_LISTS),
    (edit_distance, 150, OF_LISTS), (time_warping, 100, OF_NUMBERS),
    (time_warping_of_tensors, 100, OF_NUMBERS), (viterbi, 100, OF_NUMBERS),
    (suppression, 150, OF_NUMBERS),
)  # fmt: skip
"""Programs, their argument and their target."""
