"""There is no + before an operand."""


def program(n: int) -> int:
    m = n * 2
    return +m  # error
