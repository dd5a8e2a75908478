"""A function bound to a name while compiling may be called by it; it is no argument."""


def double(n: int) -> int:
    return n * 2


def apply(f, n: int) -> int:
    return n


def program(n: int) -> int:
    g = double
    return g(n) + apply(double, n)  # error
