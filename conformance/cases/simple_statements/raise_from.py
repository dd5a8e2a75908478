"""The cause that `from` names is not kept."""


def program(n: int) -> int:
    if n > 0:
        raise ValueError("positive") from None
    return n


def inputs():
    return [(0,), (1,)]
