"""An empty list without an annotation is a list of tensors."""

from typing import List


def program(n: int) -> List[int]:
    values = []
    values.append(n)  # error
    return values
