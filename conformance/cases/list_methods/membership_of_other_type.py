"""Only an element's type can be searched for."""

from typing import List


def program(values: List[int], text: str) -> bool:
    return text in values  # error
