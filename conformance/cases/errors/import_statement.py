"""An import inside a function is not in the language."""


def program(n: int) -> int:
    import math  # error

    return math.floor(n)
