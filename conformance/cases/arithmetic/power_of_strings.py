"""** takes numbers and tensors only."""


def program(s: str, n: int) -> str:
    t = s + s
    return t**n  # error
