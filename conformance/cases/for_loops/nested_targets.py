"""The target may be a tuple, nested as the elements are."""

from typing import List, Tuple


def program(pairs: List[Tuple[int, Tuple[str, float]]]) -> Tuple[str, float]:
    text, total = "", 0.0
    for n, (name, weight) in pairs:
        text += name * 1 if False else name
        total += n * weight
    return text, total


def inputs():
    return [([(1, ("a", 0.5)), (2, ("b", -1.0))],), ([],)]
