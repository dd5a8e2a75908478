"""and and or of two conditions are a bool, not the operand that decided."""

from typing import List


def program(n: int, s: str, values: List[int]) -> List[bool]:
    return [bool(n) and bool(s), n > 0 or len(s) > 0, not n, not s, not values]


def inputs():
    return [(0, "", []), (2, "a", [0]), (-1, "", [1, 2]), (0, "b", [])]
