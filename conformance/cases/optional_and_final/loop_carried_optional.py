"""An Optional that a loop assigns is Optional again at the loop's head, and refined inside anew."""

from typing import List, Optional


def program(values: List[int]) -> List[int]:
    best: Optional[int] = None
    trail: List[int] = []
    for value in values:
        if best is None:
            best = value
        elif value > best:
            best = value
        else:
            continue
        trail.append(best)
    if best is None:
        trail.append(-1)
    else:
        trail.append(best * 10)
    return trail


def inputs():
    return [([],), ([1],), ([3, 1, 4, 1, 5],), ([-1, -2],)]
