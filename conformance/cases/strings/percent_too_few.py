"""% with fewer values than forms raises."""


def program(s: str, n: int) -> str:
    t = "%s" % s
    return "%s %d" % (t,)


def inputs():
    return [("a", 1)]
