"""In an inner block a name keeps the type that it has outside."""


def program(n: int) -> int:
    value = n
    if n > 0:
        value = "positive"  # error
    return n
