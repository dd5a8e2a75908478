"""None is the only value of its type; a function that returns None is annotated so."""

from typing import List, Optional


def clear(values: List[int]) -> None:
    values.clear()


def program(values: List[int], n: Optional[int]) -> None:
    clear(values)
    if n is None:
        return None
    values.append(n)


def inputs():
    return [([1], None), ([1, 2], 3)]
