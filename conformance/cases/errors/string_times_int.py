"""A string is not repeated by multiplication."""


def program(s: str, n: int) -> str:
    s = s + "-"
    return s * n  # error
