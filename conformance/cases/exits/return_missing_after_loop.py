"""A loop may end without its return: what follows must return too."""

from typing import List


def program(values: List[int]) -> int:  # error
    for value in values:
        if value > 0:
            return value
