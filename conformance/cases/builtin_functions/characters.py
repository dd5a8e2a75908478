"""ord gives the number of a string's only character, chr the character of a number."""

from typing import Tuple


def program(text: str, n: int) -> Tuple[int, str]:
    return ord(text), chr(n)


def inputs():
    return [("a", 65), ("0", 10), ("ab", 65), ("", 65), ("a", -1)]
