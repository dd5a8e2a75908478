"""A raise of something that is no exception."""


def program(n: int) -> int:
    if n > 2:
        raise n  # error
    return n
