"""Another form than these, such as %g, raises."""


def program(x: float) -> str:
    s = "%f" % x
    return s + "%g" % x


def inputs():
    return [(0.5,), (0.0,)]
