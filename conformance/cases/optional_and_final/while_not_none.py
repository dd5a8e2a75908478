"""A while condition does not refine its body, which must test again."""

from typing import Optional


def halve(n: int) -> Optional[int]:
    if n % 2 == 0:
        return n // 2
    return None


def program(n: int) -> int:
    current: Optional[int] = n
    last = n
    steps = 0
    while current is not None and steps < 20:
        assert current is not None
        last = current
        current = halve(last)
        steps += 1
    return last * 100 + steps


def inputs():
    return [(8,), (7,), (0,), (-12,)]
