"""The is... methods ask all characters; of the empty string they are false but for isascii and isprintable."""

from typing import List


def program(s: str) -> List[bool]:
    first = [s.isalpha(), s.isdigit(), s.isalnum(), s.isspace(), s.isupper(), s.islower()]
    return first + [s.istitle(), s.isidentifier(), s.isnumeric(), s.isdecimal()]


def inputs():
    return [("abc",), ("12",), ("",), (" ",), ("A1",), ("Ab Cd",)]
