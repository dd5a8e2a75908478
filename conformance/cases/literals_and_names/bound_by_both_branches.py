"""A name bound by all branches, or before the loop that rebinds it, is defined afterwards."""


def program(n: int) -> int:
    total = 0
    if n > 2:
        step = 1
    elif n > 0:
        step = 2
    else:
        return -1
    while total < n:
        total += step
    return total * 10 + step


def inputs():
    return [(3,), (1,), (0,)]
