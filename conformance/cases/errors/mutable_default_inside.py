"""A default that holds something mutable is shared by all calls, too."""

from typing import List, Tuple


def program(x: Tuple[int, List[int]] = (1, [])) -> int:  # error
    return x[0]
