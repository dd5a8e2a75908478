"""A call from Python with a float where an int is wanted raises."""


def program(n: int) -> int:
    return n + 1


def inputs():
    return [(1.0,), (0.5,), ("1",), (None,)]
