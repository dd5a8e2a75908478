"""del takes a name out of the scope, and binding it again puts it back with any type."""


def program(n: int) -> str:
    value = n * 2
    del value
    value = "n"
    return value + str(n)


def inputs():
    return [(1,), (-1,)]
