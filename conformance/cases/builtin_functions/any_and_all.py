"""any and all test the members of a list: bools or numbers."""

from typing import List


def program(b: List[bool], v: List[int], f: List[float]) -> List[bool]:
    return [any(b), all(b), any(v), all(v), any(f), all(f)]


def inputs():
    return [([True, False], [0, 0], [0.5]), ([], [], []), ([True], [1, 2], [0.0, float("nan")])]
