"""A warning is a string."""

import warnings


def program(n: int) -> int:
    warnings.warn(n)  # error
    return n
