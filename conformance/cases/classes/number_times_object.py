"""An operator asks the object on its left: there are no reflected methods."""


class Length:
    def __init__(self, n: int):
        self.n = n

    def __mul__(self, by: int) -> int:
        return self.n * by

    def __rmul__(self, by: int) -> int:
        return self.n * by


def program(n: int) -> int:
    length = Length(n)
    return length * 2 + 2 * length  # error
