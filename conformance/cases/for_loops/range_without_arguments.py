"""range needs a stop."""


def program(n: int) -> int:
    for i in range():  # error
        n += i
    return n
