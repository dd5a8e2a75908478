"""A function that takes any number of arguments cannot be compiled."""


def scale(*xs: int) -> int:  # error
    return len(xs)


def program(n: int) -> int:
    return scale(n, n)
