"""A tuple is returned out of two loops that unpack as they go, and is refined by its caller."""

from typing import List, Optional, Tuple


def find(rows: List[List[int]], wanted: int) -> Optional[Tuple[int, int]]:
    for i, row in enumerate(rows):
        for j, item in enumerate(row):
            if item == wanted:
                return i, j
    return None


def program(rows: List[List[int]], wanted: List[int]) -> List[int]:
    found: List[int] = []
    for w in wanted:
        place = find(rows, w)
        if place is None:
            found.append(-1)
        else:
            i, j = place
            found.append(i * 10 + j)
            rows[i][j] = 0
    return found


def inputs():
    return [([[1, 2], [3, 1]], [1, 1, 1]), ([], [5]), ([[7]], [])]
