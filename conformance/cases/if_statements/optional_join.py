"""None and a value join to an Optional, as do members of tuples one by one."""

from typing import Optional, Tuple


def program(n: int) -> Tuple[Optional[str], Tuple[int, Optional[float]]]:
    if n > 0:
        name = "n"
        pair = (n, None)
    else:
        name = None
        pair = (0, n / 2)
    return name, pair


def inputs():
    return [(1,), (0,), (-3,)]
