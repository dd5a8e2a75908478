"""Not all paths return a value though one is promised; the fault is told at the signature."""


def program(n: int) -> int:  # error
    if n > 0:
        return n
    n = -n  # a path without a return
    print(n)
