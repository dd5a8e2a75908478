"""A parameter cannot be given by position and by keyword at once."""


def area(width: int, height: int) -> int:
    return width * height


def program(a: int) -> int:
    b = area(a, height=2)
    return area(b, width=a)  # error
