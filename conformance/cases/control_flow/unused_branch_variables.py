"""A variable that one branch binds and nobody reads afterwards is no fault."""


def program(n: int) -> int:
    if n > 0:
        only_here = n * 2
        n += only_here
    else:
        text = "unused"
        n -= len(text)
    for i in range(2):
        inner = i + n
        n = inner
    while n > 100:
        tmp = n // 2
        n = tmp
    return n


def inputs():
    return [(0,), (1,), (50,), (-200,)]
