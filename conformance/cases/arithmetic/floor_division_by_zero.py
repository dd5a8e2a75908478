"""An int floor-divided by the int zero raises."""


def program(a: int, b: int) -> int:
    c = a - b
    return a // c


def inputs():
    return [(3, 3), (0, 0)]
