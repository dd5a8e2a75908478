"""@ takes tensors only."""


def program(a: int, b: int) -> int:
    c = a * b
    return a @ c  # error
