"""A comprehension with a condition is not in the language; the fault is told at the comprehension."""

from typing import List


def program(values: List[int]) -> List[int]:
    return [  # error
        v * 2
        for v in values
        if v > 0
    ]
