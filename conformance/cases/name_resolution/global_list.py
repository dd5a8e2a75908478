"""A list in the module's namespace may change later, so it is no constant of the program."""


SIZES = [1, 2, 3]


def program(n: int) -> int:
    return n + len(SIZES)  # error
