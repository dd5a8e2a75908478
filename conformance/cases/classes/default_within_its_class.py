"""Within a class its methods have no defaults yet: an object that one of them makes is given all arguments."""


class Interval:
    def __init__(self, low: int, high: int = 8):
        self.low = low
        self.high = high

    def upper(self) -> int:
        middle = (self.low + self.high) // 2
        return Interval(middle).low  # error


def program(low: int) -> int:
    return Interval(low).upper()
