"""A local variable is not defined before it is bound, even if it is bound below."""


def program(n: int) -> int:
    m = n + late  # error
    late = m
    return late
