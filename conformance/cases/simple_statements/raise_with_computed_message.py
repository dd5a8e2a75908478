"""The message of a raise may be any string expression; it is evaluated when the statement runs."""

from typing import List


def program(values: List[int], i: int) -> int:
    if i < 0:
        raise ValueError("negative: " + str(i))
    if i >= len(values):
        raise IndexError("{} of {}".format(i, len(values)))
    return values[i]


def inputs():
    return [([4], 0), ([4], -1), ([4], 1), ([], 0)]
