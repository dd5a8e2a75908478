"""A class may be raised without being called."""


def program(n: int) -> int:
    if n == 0:
        raise RuntimeError
    if n == 1:
        raise NotImplementedError()
    return n


def inputs():
    return [(2,), (1,), (0,)]
