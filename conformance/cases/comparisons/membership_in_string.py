"""`in` between strings looks for a part; the empty string is a part of every string."""

from typing import List


def program(s: str, t: str) -> List[bool]:
    return [s in t, s not in t, s in "abc", "b" in t]


def inputs():
    return [("b", "abc"), ("", ""), ("ac", "abc"), ("abc", "b")]
