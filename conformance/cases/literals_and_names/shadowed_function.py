"""A local variable hides a function of the module: a string cannot be called."""


def scale(n: int) -> int:
    return n * 10


def program(n: int) -> int:
    m = scale(n)
    name = "scale"
    return name(m)  # error
