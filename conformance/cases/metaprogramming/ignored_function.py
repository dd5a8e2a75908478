"""An ignored function is called in Python, with the types that its signature says."""

from typing import List

import torch


@torch.jit.ignore
def joined(values: List[int], separator: str) -> str:
    return separator.join(f"{value:03}" for value in values if value)


def program(values: List[int]) -> str:
    return joined(values, "/") + "!"


def inputs():
    return [([1, 0, 22],), ([],)]
