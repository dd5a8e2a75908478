"""A function that calls itself cannot be compiled."""


def program(n: int) -> int:
    if n < 2:
        return 1
    return n * program(n - 1)  # error
