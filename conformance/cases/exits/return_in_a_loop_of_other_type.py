"""All returns of a function have one type, those within loops too."""

from typing import List


def program(values: List[int]):
    for value in values:
        if value > 0:
            return value
    return "none"  # error
