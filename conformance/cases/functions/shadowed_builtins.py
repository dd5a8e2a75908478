"""A local variable hides a builtin of the same name, in the whole function."""

from typing import List


def program(values: List[int], limit: int) -> str:
    sum = 0
    max = values[0]
    for value in values:
        if value > limit:
            continue
        sum += value
        if value > max:
            max = value
    str_ = str(sum * 0.5)
    len = str_ + "/"
    return len + str(max)


def inputs():
    return [([1, 2, 9, 4], 4), ([5], 4), ([-3, -2], 0), ([], 1)]
