"""Of the bases of a class, properties alone are inherited."""


class Base:
    def __init__(self, n: int):
        self.n = n

    @property
    def twice(self) -> int:
        return self.n * 2


class Derived(Base):
    def __init__(self, n: int):
        self.n = n + 1

    def more(self) -> int:
        return self.twice + 1


def program(n: int) -> int:
    made = Derived(n)
    return made.more() * made.twice


def inputs():
    return [(1,), (-4,)]
