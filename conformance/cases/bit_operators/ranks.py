"""| binds looser than ^, ^ than &, & than shifts, shifts than sums; all bind tighter than comparisons."""

from typing import List, Tuple


def program(a: int, b: int, c: int) -> Tuple[List[int], bool]:
    return [a | b ^ c, a ^ b & c, a & b << 1, a << b + 1, a | b & c], a & b == c & b


def inputs():
    return [(1, 2, 3), (12, 5, 7), (-1, 0, 4)]
