"""An exception class of one's own, defined in Python, may be raised by its name."""


class TooBig(ValueError):
    pass


def program(n: int) -> int:
    if n > 9:
        raise TooBig("more than nine")
    return n


def inputs():
    return [(9,), (10,)]
