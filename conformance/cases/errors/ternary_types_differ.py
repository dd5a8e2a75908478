"""The sides of a conditional expression have no common type."""


def program(n: int) -> float:
    x = 1.5 if n > 0 else 0  # error
    return x
