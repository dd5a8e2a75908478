"""The annotation that a comprehension is assigned to fixes its elements' type."""

from typing import List


def program(values: List[int]) -> List[str]:
    texts: List[str] = [str(v) for v in values]
    more: List[str] = [v * 2 for v in values]  # error
    return texts + more
