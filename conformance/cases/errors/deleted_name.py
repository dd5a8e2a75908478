"""A deleted variable is not defined any more."""


def program(n: int) -> int:
    m = n + 1
    del m
    return n + m  # error
