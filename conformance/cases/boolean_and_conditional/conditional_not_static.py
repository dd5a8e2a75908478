"""A condition on a value is not decided while compiling: both sides are."""


def program(n: int) -> int:
    if n < 0:
        return 0
    return n if n == n else n.upper()  # error
