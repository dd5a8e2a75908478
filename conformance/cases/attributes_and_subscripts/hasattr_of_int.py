"""hasattr asks modules and class instances, not an int."""


def program(n: int) -> bool:
    m = n + 1
    return hasattr(m, "real")  # error
