"""Augmented assignment of a number or a string computes a new value and binds the name to it."""

from typing import Tuple


def program(n: int, f: float, s: str) -> Tuple[int, int, float, str, str]:
    m = n
    n += 2
    n *= 3
    n -= m
    f *= n
    f -= 0.5
    f /= 2
    t = s
    s += t
    return m, n, f, s, t


def inputs():
    return [(1, 0.5, "a"), (-4, float("inf"), ""), (0, float("nan"), "xy")]
