"""A functools.partial is no function of the language."""

import functools


def add(a: int, b: int) -> int:
    return a + b


add_two = functools.partial(add, b=2)


def program(n: int) -> int:
    return add_two(n)  # error
