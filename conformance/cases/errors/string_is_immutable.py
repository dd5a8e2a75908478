"""A string's character cannot be assigned."""


def program(s: str) -> str:
    s[0] = "x"  # error
    return s
