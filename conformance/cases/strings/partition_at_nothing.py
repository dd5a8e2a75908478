"""An empty separator is found at the start of a string by partition, at its end by rpartition; it is no error."""

from typing import Tuple


def program(s: str) -> Tuple[Tuple[str, str, str], Tuple[str, str, str]]:
    return s.partition(""), s.rpartition("")


def inputs():
    return [("ab",), ("",)]
