"""A tuple fixes its members, not what is in them."""

from typing import Dict, List, Tuple


def grow(t: Tuple[List[int], Dict[str, int]]) -> Tuple[List[int], Dict[str, int]]:
    t[0].append(len(t[1]))
    t[1]["n"] = len(t[0])
    return t


def program(values: List[int], n: int) -> Tuple[Tuple[List[int], Dict[str, int]], int]:
    pair = (values, {"start": n})
    same = grow(pair)
    a, b = same
    a.append(n)
    c = grow((a, b))[0]
    return pair, len(c)


def inputs():
    return [([], 1), ([4, 5], -1)]
