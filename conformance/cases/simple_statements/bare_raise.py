"""There is no exception to raise again, as there is no try."""


def program(n: int) -> int:
    if n > 0:
        raise  # error
    return n
