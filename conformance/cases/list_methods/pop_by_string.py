"""pop's index is an int."""

from typing import List


def program(values: List[str]) -> str:
    return values.pop("a")  # error
