"""A branch that returns or raises need not bind what the others do."""


def program(n: int) -> str:
    if n == 0:
        return "none"
    elif n < 0:
        raise ValueError("negative")
    elif n == 1:
        name = "one"
    else:
        name = "many"
    return name + "!"


def inputs():
    return [(0,), (1,), (2,), (-1,)]
