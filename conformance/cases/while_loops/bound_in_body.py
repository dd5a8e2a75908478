"""What only the body binds is not defined after the loop, which may have run no turn."""


def program(n: int) -> int:
    while n > 10:
        last = n
        n -= 1
    return last  # error
