"""A function is no value that str could write."""


def program(n: int) -> str:
    return str(program)  # error
