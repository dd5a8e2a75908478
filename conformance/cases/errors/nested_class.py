"""A class inside a function is not in the language."""


def program(n: int) -> int:
    n = n + 1

    class Local:  # error
        pass

    return n
