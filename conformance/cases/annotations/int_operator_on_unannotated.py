"""What wants an int takes no unannotated parameter's text: a Tensor has no upper."""


def program(s, n: int) -> int:
    if n > 0:
        return n
    return len(s.upper())  # error
