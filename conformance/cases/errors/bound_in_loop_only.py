"""A variable that only a loop's body binds is not defined after the loop."""


def program(n: int) -> int:
    for i in range(n):
        last = i * 2
    return last  # error
