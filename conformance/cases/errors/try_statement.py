"""try is not in the language."""


def program(n: int) -> int:
    try:  # error
        n = 10 // n
    except ValueError:
        n = 0
    return n
