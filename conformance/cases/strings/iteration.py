"""A string is walked character by character, and has a length; list makes a list of its characters."""

from typing import List, Tuple


def program(s: str) -> Tuple[str, List[str], int]:
    mirrored = ""
    for i, c in enumerate(s):
        mirrored = c + mirrored
        if i > 2:
            break
    return mirrored, list(s), len(s)


def inputs():
    return [("abc",), ("",), ("hello",)]
