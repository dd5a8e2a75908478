"""An annotation without a value binds nothing."""


def program(n: int) -> int:
    total: int  # error
    total = n
    return total
