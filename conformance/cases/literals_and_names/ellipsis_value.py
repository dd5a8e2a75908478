"""... is no value outside of a subscript."""


def program(n: int) -> int:
    rest = ...  # error
    return n
