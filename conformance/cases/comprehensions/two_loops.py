"""A second for within one comprehension is refused."""

from typing import List


def program(rows: List[List[int]]) -> List[int]:
    first = [row[0] for row in rows]
    return first + [v for row in rows for v in row]  # error
