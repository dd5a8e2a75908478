"""A call from Python converts an int to a float where one is wanted."""


def program(x: float) -> float:
    return x / 2


def inputs():
    return [(1,), (1.5,), (-3,)]
