"""A class that cannot be compiled is at fault where it is, also when only an annotation names it."""


class Growing:
    def __init__(self, n: int):
        self.n = n

    def grow(self, by: str) -> int:
        return self.n + by  # error


def program(x: Growing) -> int:
    return x.n
