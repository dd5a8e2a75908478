"""break leaves with the values that the variables have there."""

from typing import List, Tuple


def program(values: List[int], wanted: int) -> Tuple[int, int]:
    position, seen = -1, 0
    for i, value in enumerate(values):
        seen += 1
        if value == wanted:
            position = i
            break
        seen += 10
    return position, seen


def inputs():
    return [([4, 5, 6], 5), ([4, 5], 7), ([], 0), ([1, 1], 1)]
