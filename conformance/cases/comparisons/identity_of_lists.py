"""`is` of two lists tells whether they are one list."""

from typing import List


def program(a: List[int], b: List[int]) -> List[bool]:
    c = a
    return [a is b, a is c, a is a[:], a is not b]


def inputs():
    same = [1]
    return [(same, same), ([1], [1])]
