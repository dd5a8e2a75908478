"""A method makes objects of its own class with all arguments; a static method may leave those with defaults out."""

from typing import List


class Interval:
    def __init__(self, low: int, high: int = 8):
        self.low = low
        self.high = high

    @staticmethod
    def whole() -> int:
        return Interval(0).width()

    def width(self, unit: int = 1) -> int:
        return (self.high - self.low) // unit

    def halves(self) -> List["Interval"]:
        middle = (self.low + self.high) // 2
        return [Interval(self.low, middle), Interval(high=self.high, low=middle)]

    def widths(self) -> List[int]:
        return [half.width(1) for half in self.halves()]


def program(low: int) -> List[int]:
    interval = Interval(low)
    return interval.widths() + [interval.width(), Interval.whole()]


def inputs():
    return [(1,), (-4,)]
