"""Programs of numbers, with hot loops."""

from __future__ import annotations


def integers(n: int) -> int:
    total = 0
    for i in range(n):
        if i % 3 == 0:
            total += i * 2
        else:
            total -= i // 7
    return total


def floats(n: int) -> float:
    x = 0.5
    for i in range(n):
        x = x * 1.000001 + float(i) * 0.25 - x / 3.0
    return x


def overflowing(n: int) -> int:
    state = 88172645463325252
    for _ in range(n):
        state = state * 6364136223846793005 + 1442695040888963407
    return state


def collatz(n: int) -> int:
    longest = 0
    for start in range(1, n):
        steps, x = 0, start
        while x != 1:
            x = x // 2 if x % 2 == 0 else 3 * x + 1
            steps += 1
        longest = max(longest, steps)
    return longest


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


HOT = ((integers, 100_000), (floats, 100_000), (overflowing, 100_000), (collatz, 400),
       (mandelbrot, 30), (primes, 5_000))  # fmt: skip
"""Programs and their argument."""
