"""divmod takes two numbers."""


def program(a: int) -> int:
    q, r = divmod(a)  # error
    return q + r
