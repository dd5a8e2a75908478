"""% formats one value or a tuple of values by %s, %d, %i, %f and %e; %% is a percent sign."""

from typing import List


def program(s: str, n: int, x: float) -> List[str]:
    return ["%s" % s, "%d|%i" % (n, n), "%f %e" % (x, x), "%s%%" % n, "%s %s" % (x, s)]


def inputs():
    return [("a", 3, 0.5), ("", 255, 1e10), ("%", 0, -0.25)]
