"""Methods are compiled in the order of their names, whatever their order in the class is."""


class Counter:
    def __init__(self, n: int):
        self.n = n

    def twice(self) -> int:
        return self.n.doubled()

    def again(self) -> int:
        return self.n.repeated()  # error


def program(n: int) -> int:
    return Counter(n).twice()
