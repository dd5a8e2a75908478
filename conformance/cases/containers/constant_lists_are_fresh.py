"""Constant lists are shared constants until something changes them: each evaluation makes a new one."""

from typing import List, Tuple


def fresh() -> List[int]:
    return [1, 2, 3]


def program(n: int) -> Tuple[List[int], List[int], List[str], int]:
    a = [1, 2, 3]
    b = [1, 2, 3]
    a.append(n)
    c = fresh()
    c.append(n)
    names = ["x", "y"]
    for i in range(2):
        inner = [0]
        inner.append(i)
        b.extend(inner)
    return a, b, names, len(fresh())


def inputs():
    return [(4,), (-4,)]
