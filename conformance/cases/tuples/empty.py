"""() is a tuple without items, of type Tuple[()]."""

from typing import Tuple


def nothing() -> Tuple[()]:
    return ()


def program(n: int) -> int:
    e = nothing()
    return n + len(e) + len(())


def inputs():
    return [(1,), (0,)]
