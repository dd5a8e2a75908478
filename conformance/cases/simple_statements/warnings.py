"""warnings.warn tells the caller of something and goes on."""

import warnings


def program(n: int) -> int:
    if n < 0:
        warnings.warn("negative: {}".format(n))
        n = -n
    return n


def inputs():
    return [(1,), (-2,), (-2,)]
