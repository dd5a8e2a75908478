"""int and float read a string; str writes a whole float with a bare point; ord and chr convert characters."""

from typing import Tuple


def program(s: str, n: int) -> Tuple[int, float, str, int, str]:
    return int(s), float(s) / 2, str(n) + str(n / 2), ord(s[0]), chr(97 + n % 26) + hex(n) + bin(n)


def inputs():
    return [("12", 3), ("-7", 26), ("+1", 0)]
