"""Unlike in C, == binds looser than &; so this compares an int with a string."""


def program(a: int, s: str) -> bool:
    if a & 1 == 1:
        return True
    return a & 2 < s  # error
