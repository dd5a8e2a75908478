"""A value that is no member of a Union is refused by the call."""

from typing import List, Union


def size(x: Union[int, List[int]]) -> int:
    return x if isinstance(x, int) else len(x)


def program(n: int, s: str) -> int:
    a = size(n) + size([n, n])
    return a + size(s)  # error
