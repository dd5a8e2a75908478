"""What follows a return in its block is not compiled."""


def program(n: int) -> int:
    if n > 0:
        return n
        n = n.no_such_method()
    return -n
    return "negative"


def inputs():
    return [(1,), (-1,), (0,)]
