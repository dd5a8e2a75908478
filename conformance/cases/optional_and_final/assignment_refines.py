"""Assigning a value to an Optional variable refines it until something else is assigned."""

from typing import Optional, Tuple


def program(flag: bool, n: int) -> Tuple[int, Optional[int]]:
    a: Optional[int] = None
    if flag:
        a = n
        total = a + 1
    else:
        total = 0
    if a is None:
        a = total - n
    b: Optional[int] = a
    if n > 2:
        b = None
    return a + total, b


def inputs():
    return [(True, 1), (False, 1), (True, 5), (False, 3)]
