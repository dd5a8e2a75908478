"""split cuts at a separator, or at white space if there is none given; join puts strings between."""

from typing import List


def program(s: str, sep: str) -> List[List[str]]:
    parts = s.split(sep)
    return [parts, s.split(), s.split(sep, 1), s.rsplit(sep, 1), [sep.join(parts)], s.splitlines()]


def inputs():
    return [("a,b,c", ","), (" x  y ", " "), ("", ","), ("a\nb\n", "b")]
