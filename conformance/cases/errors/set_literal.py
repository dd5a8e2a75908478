"""Sets are not in the language."""


def program(n: int) -> bool:
    return n in {1, 2, 3}  # error
