"""True and False written as the condition select a branch: the other one need not fit."""


def program(n: int) -> int:
    if False:
        n = n.no_such_method()
    if True:
        return n
    else:
        return n + "one"


def inputs():
    return [(1,), (-1,)]
