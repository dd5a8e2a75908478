"""An int is not converted to a float where a function of one's own wants one."""


def half(x: float) -> float:
    return x / 2


def program(n: int) -> float:
    return half(float(n)) + half(n)  # error
