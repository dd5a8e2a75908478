"""A range is walked, and has no length to ask for."""


def program(n: int) -> int:
    return len(range(n))  # error
