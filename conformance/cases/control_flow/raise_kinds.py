"""raise names an exception class, with or without a message, from within loops and callees."""


def fail(n: int) -> int:
    if n > 7:
        raise IndexError("deep " + str(n))
    return n


def program(n: int, what: str) -> int:
    for i in range(n):
        if what == "value" and i == 2:
            raise ValueError(f"at {i}")
        if what == "runtime":
            raise RuntimeError("run" + "time")
        if what == "none":
            raise NotImplementedError
        if what == "key" and i > 0:
            raise KeyError(what)
        fail(i)
    return n


def inputs():
    return [(3, "value"), (1, "value"), (1, "runtime"), (1, "none"), (2, "key"), (9, "ok"), (2, "ok")]
