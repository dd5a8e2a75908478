"""Programs of numbers and lists, with hot loops."""

from __future__ import annotations

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
    (edit_distance, 150, OF_LISTS),
)  # fmt: skip
"""Programs, their argument and their target."""
