"""A function without a result gives None, which is no number."""

from typing import List


def note(seen: List[int], n: int) -> None:
    seen.append(n)


def program(n: int) -> int:
    seen: List[int] = []
    note(seen, n)
    return n + note(seen, n)  # error
