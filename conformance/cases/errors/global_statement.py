"""global is not in the language."""

total = 0


def program(n: int) -> int:
    n = n + 1
    global total  # error
    return n
