"""range counts ints."""


def program(limit: float) -> int:
    total = 0
    for i in range(limit):  # error
        total += i
    return total
