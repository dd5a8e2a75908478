"""Of a function with overloads, the call's types select the signature; the body is compiled for each one used."""

from typing import List

import torch


@torch.jit._overload
def size_of(value: int) -> int:
    ...


@torch.jit._overload
def size_of(value: List[int]) -> int:
    ...


def size_of(value):
    if isinstance(value, int):
        return value
    else:
        return len(value)


def program(n: int, values: List[int]) -> int:
    return size_of(n) * 100 + size_of(values)


def inputs():
    return [(1, [2, 3]), (-1, [])]
