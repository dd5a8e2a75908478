"""isinstance's second argument is a type, not a value."""


def program(n: int, m: int) -> bool:
    return isinstance(n, m)  # error
