"""A call that fits none of the overloads is refused."""

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


def program(text: str) -> int:
    return size_of(text)  # error
