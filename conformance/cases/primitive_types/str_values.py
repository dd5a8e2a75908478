"""A str holds text of any length; it is no list of strings, though it is walked and indexed."""

from typing import List


def program(s: str) -> List[str]:
    doubled = [c + c for c in s]
    doubled.append(s)
    return doubled


def inputs():
    return [("ab",), ("",), ("a b",)]
