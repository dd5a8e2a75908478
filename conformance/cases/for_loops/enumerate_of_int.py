"""An int cannot be enumerated."""


def program(n: int) -> int:
    total = 0
    for i, m in enumerate(n):  # error
        total += i
    return total
