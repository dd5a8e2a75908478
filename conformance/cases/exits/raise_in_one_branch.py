"""Only the branch that raises needs no return; the other one must return."""


def program(n: int) -> int:  # error
    if n < 0:
        raise ValueError("negative")
    elif n > 0:
        return n
