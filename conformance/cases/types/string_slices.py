"""A string is indexed and sliced like a list, and iterated character by character."""

from typing import List


def program(s: str, i: int, j: int) -> List[str]:
    parts = [s[i], s[i:j], s[:j], s[i:], s[-2:], s[::2], s[:-1], s[1:10]]
    reverse = ""
    for c in s:
        reverse = c + reverse
    parts.append(reverse)
    parts.append("-".join([c for c in s]))
    return parts


def inputs():
    return [("hello", 1, 3), ("ab", -1, 0), ("xyz", 2, -1), ("abc", 5, 1)]
