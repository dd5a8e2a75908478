"""Callees are found when the caller is compiled, so they may stand below it, and call others in turn."""


def program(n: int) -> int:
    return twice(n) + once(n)


def twice(n: int) -> int:
    return once(once(n))


def once(n: int) -> int:
    return n * 3


def inputs():
    return [(1,), (-2,)]
