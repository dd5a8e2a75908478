"""A default is evaluated once, when Python defines the function, and is a constant of the graph."""

base = 3


def grow(n: int, by: int = base * 2, name: str = "n" + "!") -> str:
    return name + str(n + by)


def program(n: int) -> str:
    return grow(n) + grow(n, 1) + grow(n, name="m")


def inputs():
    return [(0,), (5,)]
