"""Methods are not inherited: an object has those of its own class."""


class Base:
    def __init__(self, n: int):
        self.n = n

    def twice(self) -> int:
        return self.n * 2


class Derived(Base):
    def __init__(self, n: int):
        self.n = n + 1


def program(n: int) -> int:
    return Derived(n).twice()  # error
