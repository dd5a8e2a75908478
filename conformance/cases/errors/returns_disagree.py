"""Two returns without an annotation, of an int and of a string."""


def program(n: int):
    if n > 0:
        return n
    return "negative"  # error
