"""A complex number has no attributes such as real."""


def program(z: complex) -> float:
    x = abs(z)
    return x + z.real  # error
