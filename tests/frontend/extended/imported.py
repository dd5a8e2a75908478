"""What a function under test imports."""


def doubled(n: int) -> int:
    return n * 2
