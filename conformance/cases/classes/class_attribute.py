"""A class attribute is no attribute of the objects."""


class Bounded:
    limit = 10

    def __init__(self, n: int):
        self.n = n


def program(n: int) -> int:
    bounded = Bounded(n)
    return bounded.n + bounded.limit  # error
