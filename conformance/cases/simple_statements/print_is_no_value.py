"""print yields nothing that could be computed with."""


def program(n: int) -> int:
    m = print(n)
    return m + n  # error
