"""`in` finds floats by value, so a NaN never, and strings whole."""

from typing import List


def program(xs: List[float], x: float, words: List[str]) -> List[bool]:
    return [x in xs, 1 in [1, 2], "a" in words, "" in words, x not in xs + [x]]


def inputs():
    nan = float("nan")
    return [([1.5, nan], nan, ["a", "b"]), ([0.0], -0.0, ["ab"]), ([], 1.0, [""])]
