"""A Protocol is a class like others: nothing is an object of it that was not made by it."""

from typing import List, Protocol


class Sized(Protocol):
    size: int


class Box:
    def __init__(self, size: int):
        self.size = size


def program(size: int) -> List[bool]:
    box = Box(size)
    return [isinstance(box, Sized), isinstance(box, Box)]


def inputs():
    return [(1,)]
