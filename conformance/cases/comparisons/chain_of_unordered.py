"""Each link of a chain must be allowed by itself."""


def program(a: int, s: str) -> bool:
    return 0 < a < s  # error
