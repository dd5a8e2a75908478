"""An object is made with the arguments that __init__ takes."""


class Pair:
    def __init__(self, a: int, b: int = 2):
        self.a = a
        self.b = b


def program(n: int) -> int:
    pair = Pair(n, b=3)
    return pair.a + Pair(n, 1, 2).b  # error
