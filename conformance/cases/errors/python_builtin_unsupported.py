"""A builtin that the language lacks."""


def program(n: int) -> int:
    x = abs(n)
    return x + id(x)  # error
