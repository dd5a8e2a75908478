"""A variable first bound in the loop is not defined after it, though break follows its binding."""

from typing import List


def program(values: List[int]) -> int:
    while True:
        last = values.pop()
        if last == 0:
            break
    return last  # error
