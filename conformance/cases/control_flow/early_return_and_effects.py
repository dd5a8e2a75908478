"""Effects before a return in a loop happen, those after it do not, in callees and in attributes."""

from typing import List

from torch import nn


class Scan(nn.Module):
    seen: List[int]

    def __init__(self):
        super().__init__()
        self.seen = []
        self.calls = 0

    def note(self, n: int) -> bool:
        self.seen.append(n)
        if n < 0:
            return False
        self.calls += 1
        return n > 2

    def forward(self, values: List[int]) -> List[int]:
        for value in values:
            if self.note(value):
                return self.seen
            if not self.note(value - 1) and value == 0:
                break
            self.calls += 100
        else_calls = self.calls
        self.seen = [else_calls]
        return self.seen


def build():
    return Scan()


def inputs():
    return [([1, 2, 3, 4],), ([0, 9],), ([],)]
