"""Containers are carried by reference: the body may change them or bind others."""

from typing import List, Tuple


def program(values: List[int]) -> Tuple[List[int], List[int]]:
    first = values
    while len(values) < 4:
        values.append(len(values))
        if len(values) == 3:
            values = values + [9]
    return first, values


def inputs():
    return [([],), ([1, 2, 3],), ([5, 5, 5, 5],)]
