"""A name that is bound nowhere."""


def program(x: int) -> int:
    y = x + 1
    for i in range(y):
        y += unknown * i  # error
    return y
