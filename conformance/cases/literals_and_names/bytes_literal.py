"""There are no bytes."""


def program(n: int) -> int:
    data = b"abc"  # error
    return n + len(data)
