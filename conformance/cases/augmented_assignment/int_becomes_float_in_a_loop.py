"""Dividing makes a float, which a variable carried by a loop as an int cannot take."""


def program(n: int) -> int:
    while n > 1:
        n /= 2  # error
    return n
