"""A return in nested loops leaves both, and the refinement before it holds after the test."""

from typing import List, Optional


def program(rows: List[List[int]], wanted: Optional[int]) -> Optional[int]:
    if wanted is None:
        return None
    steps = 0
    for row in rows:
        for item in row:
            steps += 1
            if item == wanted:
                return steps
            if item < 0:
                break
        if len(row) == 0:
            continue
        steps += wanted
    return -steps


def inputs():
    rows = [[1, 2], [], [-1, 3], [4]]
    return [(rows, None), (rows, 2), (rows, 3), (rows, 4), ([], 1)]
