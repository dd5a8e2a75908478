"""If isinstance or `is None` decides the condition, the other side is not compiled."""


def program(n: int) -> int:
    a = n if isinstance(n, int) else n.upper()
    return a + (0 if n is None else 1)


def inputs():
    return [(3,), (0,)]
