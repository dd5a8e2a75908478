"""Two branches give a variable an int and a string; it has no type after the if."""


def program(n: int) -> int:
    if n > 0:  # error
        x = 1
    else:
        x = "one"
    return n + x
