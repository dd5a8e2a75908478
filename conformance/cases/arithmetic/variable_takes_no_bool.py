"""Operators, calls and returns convert a bool to a number; an annotated variable does not."""


def program(flag: bool) -> float:
    x: float = flag  # error
    return x
