"""Arguments are given by position, then by keyword in any order; each parameter gets one."""


def area(width: int, height: int, border: int) -> int:
    return width * height * 10 + border


def program(a: int, b: int) -> int:
    return area(a, border=b, height=2) - area(height=a, border=1, width=b) + area(a, b, 0)


def inputs():
    return [(1, 2), (0, -3)]
