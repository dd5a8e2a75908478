"""A fault in a called function is reported there, not at the call."""


def helper(n: int) -> str:
    return n.upper()  # error


def program(n: int) -> str:
    n = n + 1
    return helper(n)
