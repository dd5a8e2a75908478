"""A complex number is no float."""


def program(z: complex) -> float:
    x = abs(z)
    return x + z  # error
