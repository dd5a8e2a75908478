"""insert's index is an int."""

from typing import List


def program(values: List[str]) -> List[str]:
    values.insert("a", "b")  # error
    return values
