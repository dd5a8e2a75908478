"""A number is not joined to a string: str makes a string of it."""


def program(s: str, n: int) -> str:
    t = s + str(n)
    return t + n  # error
