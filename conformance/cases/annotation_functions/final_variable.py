"""Final is for attributes; a variable or parameter of a function is annotated with its type alone."""

from typing import Final, List


def program(n: int) -> List[int]:
    factor: Final[int] = 3  # error
    return [n * factor]
