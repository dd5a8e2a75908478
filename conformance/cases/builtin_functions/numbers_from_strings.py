"""int and float read strings; what is no number raises."""

from typing import Tuple


def program(text: str) -> Tuple[float, int]:
    return float(text), int(text)


def inputs():
    return [("12",), ("-7",), ("1.5",), ("x",), ("",)]
