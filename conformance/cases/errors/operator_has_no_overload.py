"""No overload of + takes a string and an int."""


def program(x: str, y: int) -> str:
    if y > 0:
        x = x + y  # error
    return x
