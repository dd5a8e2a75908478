"""An int of more than 64 bits cannot be written: nothing wraps a literal."""


def program(n: int) -> int:
    return n + 9223372036854775808  # error
