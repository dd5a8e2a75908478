"""All branches of a chain bind a variable, each in its own way; those that leave need not."""

from typing import Tuple


def program(n: int, x: float) -> Tuple[str, float]:
    if n < 0:
        return "negative", -x
    elif n == 0:
        name = "zero"
        x = 0.0
    elif n == 1:
        name = "one"
    elif n > 100:
        raise ValueError("too much: " + str(n))
    else:
        if x > 1.0:
            name = "many, large"
        else:
            name = "many, small"
            x *= n
    return name, x


def inputs():
    return [(-1, 0.5), (0, 0.5), (1, 0.5), (5, 0.5), (5, 1.5), (101, 0.0)]
