"""A list takes one index; rows of rows take one subscript after the other."""

from typing import List


def program(rows: List[List[int]]) -> int:
    first = rows[0][0]
    return first + rows[0, 0]  # error
