"""A string, an int or a list has methods or none, and no attributes."""


def program(s: str) -> int:
    t = s.strip()
    return t.size  # error
