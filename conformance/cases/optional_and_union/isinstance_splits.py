"""isinstance with several types keeps those members of a Union, and the else those that are left."""

from typing import Union


def program(x: Union[int, str, float]) -> str:
    if isinstance(x, (int, float)):
        if isinstance(x, int):
            return str(x + 1)
        return str(x / 2)
    return x + "!"


def inputs():
    return [(1,), ("a",), (0.5,)]
