"""Functions that call each other cannot be compiled either; the call that closes the circle is at fault."""


def even(n: int) -> bool:
    if n == 0:
        return True
    return odd(n - 1)


def odd(n: int) -> bool:
    if n == 0:
        return False
    return even(n - 1)  # error


def program(n: int) -> bool:
    return even(n)
