"""Containers of objects are neither compared nor searched, whether or not the class has __eq__."""


class Counter:
    def __init__(self, n: int):
        self.n = n

    def __eq__(self, other: "Counter") -> bool:
        return self.n == other.n


def program(n: int) -> bool:
    counters = [Counter(1), Counter(2)]
    if counters[0] == Counter(n):
        return True
    return Counter(n) in counters  # error
