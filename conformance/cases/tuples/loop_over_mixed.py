"""len of a tuple is a constant; a loop over a tuple is unrolled, one turn for each item."""

from typing import List, Tuple


def program(t: Tuple[int, str, bool]) -> List[str]:
    seen: List[str] = [str(len(t))]
    for item in t:
        seen.append(str(item))
    return seen


def inputs():
    return [((1, "a", True),), ((0, "", False),)]
