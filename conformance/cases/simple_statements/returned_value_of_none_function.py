"""A function declared to return None may not return a value."""


def program(n: int) -> None:
    print(n)
    return n  # error
