"""Strings are ordered character by character, the shorter first."""

from typing import List


def program(s: str, t: str) -> List[bool]:
    return [s == t, s != t, s < t, s <= t, s > t, s >= t]


def inputs():
    return [("a", "b"), ("ab", "a"), ("", ""), ("Z", "a"), ("10", "9")]
