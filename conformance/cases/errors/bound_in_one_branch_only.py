"""A variable that only one branch binds is not defined after the if, which is where the fault is told."""


def program(x: int) -> int:
    if x > 0:  # error
        y = 1
    elif x < -5:
        y = 2
    return y
