"""A list extends by lists of its own type only."""

from typing import List


def program(values: List[int], names: List[str]) -> List[int]:
    values += names  # error
    return values
