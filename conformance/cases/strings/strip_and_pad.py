"""strip takes away characters from a set at either end; ljust, rjust, center and zfill add some."""

from typing import List


def program(s: str, chars: str) -> List[str]:
    stripped = [s.strip(), s.strip(chars), s.lstrip(chars), s.rstrip(chars)]
    return stripped + [s.ljust(6, "."), s.rjust(6), s.center(6, "*"), s.zfill(6)]


def inputs():
    return [(" ab ", "b "), ("-12", "-"), ("", "x"), ("longer text", "lt")]
