SIZE = 3


def f(n: int = SIZE * 2):
    return n
