"""An attribute of a Python class is not read."""


class Sizes:
    width = 3


def program(n: int) -> int:
    return n * Sizes.width  # error
