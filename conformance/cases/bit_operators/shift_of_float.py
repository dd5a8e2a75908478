"""<< takes no float."""


def program(x: float, n: int) -> int:
    m = 1 << n
    return x << m  # error
