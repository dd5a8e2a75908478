"""What is looked for must be of the items' type."""

from typing import List


def program(values: List[int], s: str) -> bool:
    if 3 in values:
        return True
    return s in values  # error
