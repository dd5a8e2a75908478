"""Code after return, break and continue never runs."""

from typing import Optional


def program(n: int) -> Optional[int]:
    if n > 3:
        return n
        n = n.no_such_attribute
    while n > 0:
        n -= 1
        if n == 1:
            return n * 10
            break
        continue
        n = n + 1
    return None


def inputs():
    return [(5,), (3,), (0,)]
