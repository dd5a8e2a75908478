"""A parameter hides the function of the same name, and cannot be called."""


def scale(n: int) -> int:
    return n * 10


def program(scale: int) -> int:
    return scale(3)  # error
