"""What is appended must be of the list's type."""

from typing import List


def program(values: List[float], n: int) -> List[float]:
    values.append(n / 2)
    values.append("x")  # error
    return values
