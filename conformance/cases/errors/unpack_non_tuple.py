"""An int cannot be unpacked."""


def program(n: int) -> int:
    a, b = n  # error
    return a
