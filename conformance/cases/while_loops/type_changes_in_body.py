"""A variable has one type through all turns of a loop."""


def program(n: int) -> int:
    value = n
    while n > 0:
        n -= 1
        value = value / 2  # error
    return n
