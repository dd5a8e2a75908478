"""format with fewer arguments than fields raises."""


def program(s: str, n: int) -> str:
    t = "{}".format(s)
    return "{} {}".format(t)


def inputs():
    return [("a", 1), ("", 0)]
