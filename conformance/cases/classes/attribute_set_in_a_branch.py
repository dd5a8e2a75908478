"""An attribute is first assigned at the top of __init__, not within a branch or a loop."""


class Bounded:
    def __init__(self, n: int):
        self.high = 100
        if n > self.high:
            self.n = self.high  # error
        else:
            self.n = n


def program(n: int) -> int:
    return Bounded(n).n
