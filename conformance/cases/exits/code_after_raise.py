"""What follows a raise in its block never runs."""


def program(n: int) -> int:
    if n > 0:
        raise ValueError("positive")
        n = n * 1000
    return -n


def inputs():
    return [(1,), (-1,), (0,)]
