"""The keys of a dict are of one type."""


def program(n: int) -> int:
    ints = {1: n, 2: n}
    mixed = {1: n, "two": n}  # error
    return len(ints)
