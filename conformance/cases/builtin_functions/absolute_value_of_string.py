"""A string has no magnitude."""


def program(text: str) -> int:
    return abs(text)  # error
