"""hash takes one value, by position."""


def program(n: int) -> int:
    return hash(n) + hash(obj=n)  # error
