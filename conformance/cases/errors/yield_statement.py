"""Generators are not in the language."""


def program(n: int):
    for i in range(n):
        yield i  # error
