"""A class method is called on an object; within it, its class makes objects and has its static methods."""


class Money:
    def __init__(self, cents: int):
        self.cents = cents

    @staticmethod
    def in_cents(euros: float) -> int:
        return int(euros * 100)

    @classmethod
    def rounded(cls, euros: float) -> int:
        return cls(cls.in_cents(euros)).cents

    def plus(self, euros: float) -> int:
        return self.cents + self.rounded(euros)


def program(euros: float) -> int:
    return Money(3).plus(euros) * 1000 + Money(0).rounded(euros)


def inputs():
    return [(1.25,), (-0.5,)]
