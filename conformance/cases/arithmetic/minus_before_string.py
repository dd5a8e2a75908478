"""- takes numbers and tensors only."""


def program(s: str) -> str:
    t = s.upper()
    return -t  # error
