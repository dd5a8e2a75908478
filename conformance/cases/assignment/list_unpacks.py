"""A list unpacks into as many names as there are targets; one of another length raises."""

from typing import List


def program(values: List[int]) -> int:
    a, b = values
    return a * 10 + b


def inputs():
    return [([1, 2],), ([0, -5],)]
