"""A tuple of ints passes where a tuple of Optional ints is wanted, since no item can be assigned."""

from typing import Any, Optional, Tuple


def total(pair: Tuple[Optional[int], Any]) -> int:
    first = pair[0]
    return 0 if first is None else first


def program(n: int) -> int:
    pair = (n, n + 1)
    return total(pair) + total((None, "x"))


def inputs():
    return [(1,), (-5,)]
