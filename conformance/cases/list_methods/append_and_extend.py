"""append adds one element at the end, extend all of another list, which may be the list itself."""

from typing import List


def program(values: List[int], n: int) -> List[int]:
    values.append(n)
    values.extend([n * 2, n * 3])
    values.extend(values)
    return values


def inputs():
    return [([], 1), ([5, 6], -1)]
