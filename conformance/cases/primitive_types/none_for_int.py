"""None is no int."""


def program(n: int) -> int:
    if n > 0:
        return n
    return None  # error
