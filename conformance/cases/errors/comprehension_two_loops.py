"""A comprehension with two loops is not in the language."""

from typing import List


def program(rows: List[List[int]]) -> List[int]:
    return [v for row in rows for v in row]  # error
