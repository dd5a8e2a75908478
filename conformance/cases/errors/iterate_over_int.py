"""An int cannot be iterated."""


def program(n: int) -> int:
    total = 0
    for i in n:  # error
        total += i
    return total
