"""A Union has the methods of no member before a test."""

from typing import Union


def program(x: Union[int, str], n: int) -> str:
    if isinstance(x, int):
        return str(x + n)
    y: Union[int, str] = n
    if n > 3:
        y = "many"
    return y.upper()  # error
