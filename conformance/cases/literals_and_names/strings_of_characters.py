"""A string's length counts its bytes in UTF-8; it is compared and joined as a whole."""

from typing import List, Tuple


def program(s: str) -> Tuple[List[int], str]:
    return [len(s), len("é"), len("a\n"), len(r"a\n"), len("a" "b")], s + "é"


def inputs():
    return [("",), ("abc",), ("ü",)]
