"""Lists compare element by element, `in` searches by value; sorted leaves its argument alone."""

from typing import List, Tuple


def program(a: List[int], b: List[int], s: List[str], x: float) -> Tuple[List[bool], List[int], List[str]]:
    flags = [a == b, a != b, 3 in a, not (3 in b), 3 not in b, "k" in s, len(a) < len(b)]
    ordered = sorted(a)
    if x in [0.5, 1.0]:
        ordered.append(-1)
    ordered += [min(a), max(b), sum(a)]
    s.sort()
    return flags, ordered + a, sorted(s)


def inputs():
    return [([3, 1], [3, 1], ["k", "a"], 0.5), ([2], [1, 2], [], 0.0), ([], [1], ["b"], 1.0)]
