"""pow has no modulus."""


def program(a: int, b: int) -> int:
    return pow(a, b, 10)  # error
