"""An int cannot be called."""


def program(n: int) -> int:
    f = n
    return f(3)  # error
