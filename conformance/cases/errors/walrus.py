"""An assignment expression is not in the language."""


def program(n: int) -> int:
    if (m := n + 1) > 2:  # error
        return m
    return n
