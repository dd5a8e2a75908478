"""A string and an int have no order."""


def program(s: str, n: int) -> bool:
    if n < 2:
        return s < n  # error
    return True
