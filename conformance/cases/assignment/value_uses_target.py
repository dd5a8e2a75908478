"""The value is evaluated before its target is bound."""


def program(n: int) -> int:
    total = total + n  # error
    return total
