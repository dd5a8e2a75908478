"""Promotion is the expression's: a variable that outlives a branch stays the int that it was."""


def program(a: int, x: float) -> float:
    total = a
    if x > 0:
        total = total + x  # error
    return total * x
