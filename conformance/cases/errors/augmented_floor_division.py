"""//= is not in the language though // is."""


def program(n: int) -> int:
    n += 1
    n //= 2  # error
    return n
