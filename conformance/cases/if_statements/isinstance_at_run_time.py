"""A test that the types leave open selects nothing: both branches must fit."""

from typing import Union


def program(value: Union[int, str]) -> int:
    if isinstance(value, int):
        return value + 1
    return value + 1  # error
