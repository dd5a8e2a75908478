"""`raise AssertionError` without a call raises with no message."""


def program(n: int) -> int:
    if n > 1:
        raise AssertionError
    return n


def inputs():
    return [(1,), (2,)]
