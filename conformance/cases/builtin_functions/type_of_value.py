"""type() is no value of the language: ask isinstance."""


def program(n: int) -> bool:
    return type(n) == int  # error
