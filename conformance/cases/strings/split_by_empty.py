"""The separator that split cuts at is not empty: the call raises."""

from typing import List


def program(s: str, sep: str) -> List[str]:
    return s.split(sep)


def inputs():
    return [("abc", ""), ("", "")]
