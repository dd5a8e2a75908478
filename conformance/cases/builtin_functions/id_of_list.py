"""id takes objects and None only; numbers, strings, tensors and lists have no identity."""

from typing import List


def program(xs: List[int]) -> bool:
    same = xs
    return id(None) == 0 and id(xs) == id(same)  # error
