"""A method may take more than the interface promises, and return less: a subtype of its result."""

from typing import List, Optional

import torch


@torch.jit.interface
class Source:
    def read(self, n: int) -> Optional[int]:
        pass


@torch.jit.script
class Ones:
    def __init__(self):
        self.given: List[Optional[int]] = []

    def read(self, n: Optional[int]) -> int:
        self.given.append(n)
        return 1 if n is None else n + 1


@torch.jit.script
class Nothing:
    def __init__(self):
        self.asked = 0

    def read(self, n: int) -> Optional[int]:
        self.asked += n
        return None


def total(source: Source, n: int) -> int:
    found = source.read(n)
    return -1 if found is None else found


def program(n: int) -> List[int]:
    ones, nothing = Ones(), Nothing()
    found = [total(ones, n), total(nothing, n)]
    return found + [len(ones.given), nothing.asked]


def inputs():
    return [(4,), (0,)]
