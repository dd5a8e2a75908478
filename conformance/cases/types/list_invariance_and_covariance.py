"""A list literal takes the type that the annotation wants; tuples vary with their elements."""

from typing import List, Optional, Tuple


def fill(values: List[Optional[int]]) -> int:
    count = 0
    for value in values:
        if value is not None:
            count += value
    return count


def head(pair: Tuple[Optional[int], float]) -> float:
    first = pair[0]
    if first is not None:
        return first + pair[1]
    return pair[1]


def program(a: int, b: Optional[int]) -> Tuple[int, float, float]:
    values: List[Optional[int]] = [a, None, b]
    return fill(values) + fill([a, b]), head((a, 0.5)), head((None, 1.5))


def inputs():
    return [(1, None), (2, 3)]
