"""Callable is no type: a function is passed to no other."""

from typing import Callable


def program(n: int, change: Callable[[int], int]) -> int:  # error
    return change(n)
