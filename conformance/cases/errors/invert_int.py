"""~ takes tensors only."""


def program(n: int) -> int:
    m = -n
    return ~m  # error
