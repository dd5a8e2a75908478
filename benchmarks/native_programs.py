"""Programs of numbers, with hot loops."""

from __future__ import annotations

from benchmarks.programs_calls import collatz, scalar_float, scalar_int, scalar_wrapping


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


def successor(n: int) -> int:
    while n < 0:
        n += 1
    return n + 1


HOT = (
    (scalar_int, 100_000), (scalar_float, 100_000), (scalar_wrapping, 100_000), (collatz, 10_000),
    (mandelbrot, 30), (primes, 5_000),
)  # fmt: skip
"""Programs and their argument."""
