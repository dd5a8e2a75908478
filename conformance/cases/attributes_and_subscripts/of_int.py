"""An int has no items."""


def program(n: int) -> int:
    m = n * 2
    return m[0]  # error
