"""A type comment names the type of every parameter, neither more nor fewer."""


def program(a, b):  # error
    # type: (int) -> int
    return a + b
