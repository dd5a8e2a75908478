"""A variable of an outer block is not annotated anew within a loop."""


def program(n: int) -> int:
    total = 0
    for i in range(n):
        total: float = 0.5  # error
    return n
