"""A number in a closure is no constant of the program."""


def make(k: int):
    def inner(n: int) -> int:
        return n + k  # error

    return inner


program = make(3)
