"""A class's attributes are those that __init__ assigns, each with the type of its value or annotation."""

from typing import List

import torch


@torch.jit.script
class Box:
    def __init__(self, n: int):
        self.n = n
        self.items: List[str] = []

    def put(self, s: str) -> int:
        self.items.append(s)
        self.n += len(s)
        return len(self.items) + self.n


def program(n: int, s: str) -> int:
    box = Box(n)
    box.put(s)
    return box.put("x") * 10 + len(box.items[0])


def inputs():
    return [(1, "ab"), (0, "")]
