"""NotImplemented is no value of the language, and no constant."""


def program(n: int) -> bool:
    other = NotImplemented
    return n == 1 or other  # error
