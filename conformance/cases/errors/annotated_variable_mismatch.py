"""The value assigned is not of the annotated type."""


def program(n: int) -> int:
    x: float = 1.0
    y: str = n  # error
    return n + len(y) + int(x)
