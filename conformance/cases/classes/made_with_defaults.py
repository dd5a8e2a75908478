"""An object is made with positions, keywords and defaults, as a function is called; methods run in __init__."""

from typing import List, Optional


class Range:
    def __init__(self, start: int, stop: Optional[int] = None, step: int = 1):
        self.step = step
        self.start = start if stop is not None else 0
        self.stop = stop if stop is not None else start
        self.length = 0
        if step == 0:
            return
        self.count()

    def count(self):
        at = self.start
        while at < self.stop:
            self.length += 1
            at += self.step


def program(n: int) -> List[int]:
    made = [Range(n), Range(2, n), Range(step=3, start=1, stop=n), Range(n, step=0)]
    return [r.length for r in made]


def inputs():
    return [(7,), (0,)]
