"""isinstance takes a type or a tuple of types, containers written with their elements' types."""

from typing import List, Union


def program(value: Union[int, float, List[int], str]) -> int:
    if isinstance(value, (int, float)):
        return int(value)
    elif isinstance(value, List[int]):
        return len(value)
    else:
        return 1000 + len(value)


def inputs():
    return [(1,), (2.5,), ([1, 2, 3],), ("ab",)]
