"""An int and a float have no common type, though the one converts to the other in arithmetic."""


def program(n: int) -> float:
    if n > 0:  # error
        half = n / 2
    else:
        half = 0
    return half + 1.0
