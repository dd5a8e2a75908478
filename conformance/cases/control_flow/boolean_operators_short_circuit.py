"""and/or skip what they need not evaluate, and yield a bool; not binds tighter than they do."""

from typing import List


def check(log: List[str], name: str, value: bool) -> bool:
    log.append(name)
    return value


def program(a: bool, b: bool, c: bool) -> List[str]:
    log: List[str] = []
    first = check(log, "a", a) and check(log, "b", b) or check(log, "c", c)
    second = not check(log, "A", a) or not (check(log, "B", b) and not check(log, "C", c))
    if first and (second or check(log, "x", b)):
        log.append("both")
    elif not first != second:
        log.append("odd")
    return log


def inputs():
    flags = [True, False]
    return [(a, b, c) for a in flags for b in flags for c in flags]
