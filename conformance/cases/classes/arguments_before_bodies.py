"""What a method takes is looked at in all methods before the first of them is compiled."""


class Counter:
    def __init__(self, n: int):
        self.n = n

    def add(self, by: int) -> int:
        return self.n.added(by)

    def sum(self, *others) -> int:  # error
        return self.n


def program(n: int) -> int:
    return Counter(n).add(1)
