"""Literal is no type: an int is annotated int, whatever values it may have."""

from typing import Literal


def program(n: int, mode: Literal["up", "down"]) -> int:  # error
    return n + 1 if mode == "up" else n - 1
