"""Methods of a NamedTuple's class are not compiled."""

from typing import NamedTuple


class Point(NamedTuple):
    x: int

    def double(self) -> int:
        return self.x * 2


def program(n: int) -> int:
    p = Point(n)
    return p.x + p.double()  # error
