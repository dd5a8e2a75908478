"""& has no place for a bool and a float."""


def program(flag: bool, x: float) -> bool:
    both = flag & (x > 0)
    return both & x  # error
