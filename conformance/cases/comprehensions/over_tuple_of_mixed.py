"""The elements that a comprehension makes of a tuple's items must be of one type."""

from typing import List, Tuple


def program(t: Tuple[int, str]) -> int:
    texts = [str(x) for x in t]
    items = [x for x in t]  # error
    return len(items) + len(texts)
