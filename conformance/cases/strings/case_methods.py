"""upper, lower, capitalize, title and swapcase change ASCII letters only."""

from typing import List


def program(s: str) -> List[str]:
    return [s.upper(), s.lower(), s.capitalize(), s.title(), s.swapcase()]


def inputs():
    return [("hello World",), ("",), ("a1b-c d",), ("ABC",)]
