"""The methods of lists, with Python's answers and errors at the edges."""

from typing import List, Tuple


def program(values: List[int], n: int) -> Tuple[List[int], List[int], int]:
    values.append(n)
    values.insert(0, n + 1)
    values.insert(-1, n + 2)
    values.insert(100, n + 3)
    copy = values.copy()
    copy.reverse()
    last = values.pop()
    first = values.pop(0)
    where = values.index(n)
    values.remove(n + 2)
    values.extend(copy)
    copy.sort()
    count = copy.count(n)
    copy.clear()
    copy.append(where + count)
    return values, copy, last - first


def inputs():
    return [([3, 1, 2], 5), ([], 0), ([7], 7), ([-1, -1], -1)]
