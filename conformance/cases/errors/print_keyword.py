"""print takes no keywords."""


def program(n: int) -> int:
    print(n)
    print(n, end="")  # error
    return n
