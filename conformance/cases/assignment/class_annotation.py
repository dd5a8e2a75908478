"""An attribute has the type that the class annotates, wider than its first value's."""

from typing import List, Optional, Tuple

from torch import nn


class Cache(nn.Module):
    last: Optional[int]
    seen: List[int]

    def __init__(self):
        super().__init__()
        self.last = None
        self.seen = []

    def forward(self, n: int) -> Tuple[Optional[int], List[int]]:
        before = self.last
        self.last = n if n >= 0 else None
        self.seen.append(n)
        return before, self.seen


def build():
    return Cache()


def inputs():
    return [(1,), (-1,), (0,)]
