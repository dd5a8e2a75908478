"""A method calls another one of its class with all arguments: the class's methods have no defaults yet."""


class Counter:
    def __init__(self, n: int = 0):
        self.n = n
        self.add(n)

    def add(self, by: int = 1) -> int:
        self.n += by
        return self.n

    def twice(self) -> int:
        self.add()  # error
        return self.add(1)


def program(n: int) -> int:
    return Counter(n).twice()
