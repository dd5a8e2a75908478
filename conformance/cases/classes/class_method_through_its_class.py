"""A class method is not called through its class: it stays a method of Python's class object."""


class Scale:
    def __init__(self, factor: int):
        self.factor = factor

    @classmethod
    def twice(cls, n: int) -> int:
        return n * 2


def program(n: int) -> int:
    return Scale.twice(n) + Scale(n).factor  # error
