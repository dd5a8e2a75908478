"""A number in the module's namespace is no constant of the program."""

LIMIT = 3


def program(n: int) -> int:
    while n > LIMIT:  # error
        n -= 1
    return n
