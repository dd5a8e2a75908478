"""enumerate counts from its second argument; from a negative one it makes no turn, as its count overflows."""

from typing import List, Tuple


def program(names: List[str], start: int) -> List[Tuple[int, str]]:
    found: List[Tuple[int, str]] = []
    for i, name in enumerate(names, start):
        found.append((i, name))
    for i, name in enumerate(names, start=-start):
        found.append((i, name))
    return found


def inputs():
    return [(["a", "b"], 5), ([], 1), (["c"], -1)]
