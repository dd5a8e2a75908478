"""A branch that raises leaves the other branch's refinement to the code after it."""

from typing import Optional


def program(a: Optional[int], kind: str) -> int:
    if a is None:
        raise ValueError("no a in " + kind)
    if kind == "neg":
        value = -a
    elif kind == "sq":
        value = a * a
    else:
        raise RuntimeError("kind " + kind)
    return value + a


def inputs():
    return [(3, "neg"), (3, "sq"), (None, "neg"), (1, "cube")]
