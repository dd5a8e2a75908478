"""Strings have no minimum."""


def program(a: str, b: str) -> str:
    return min(a, b)  # error
