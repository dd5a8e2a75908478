"""Two names for one list see each other's changes; a copy, a slice and a sum do not."""

from typing import List, Tuple


def push(values: List[int], n: int) -> List[int]:
    values.append(n)
    return values


def program(values: List[int]) -> Tuple[List[int], List[int], List[int], bool]:
    alias = values
    copied = list(values)
    joined = values + [0]
    same = push(alias, 1)
    same += [2]
    nested = [values, copied]
    nested[0].append(3)
    nested[1] = nested[0]
    nested[1].append(4)
    return values, copied, joined, alias == same


def inputs():
    return [([],), ([9, 8],)]
