"""& takes no float."""


def program(a: int, x: float) -> int:
    b = a & 3
    return b & x  # error
