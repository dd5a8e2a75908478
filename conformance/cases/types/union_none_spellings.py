"""Optional[X], Union[X, None] and a default of None with an annotation are one type."""

from typing import List, Optional, Union


def one(x: Union[int, None]) -> int:
    return -1 if x is None else x


def two(x: Optional[int]) -> int:
    return one(x) + one(None) + one(3)


def program(x: Optional[int], y: Optional[List[int]] = None) -> List[int]:
    result = [two(x)]
    if y is not None:
        for item in y:
            result.append(two(item))
    return result


def inputs():
    return [(None,), (2, [1, 2]), (0, []), ("x",)]
