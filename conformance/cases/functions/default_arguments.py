"""Defaults of every kind are constants of the call; keywords may come in any order."""

from typing import List, Optional

from conformance.case import call


def blend(a: int, b: float = 2.5, c: Optional[int] = None, d: bool = True, e: str = "z") -> str:
    text = e
    if d:
        text += str(a)
    if c is not None:
        text += "," + str(c)
    return text + ":" + str(b)


def program(n: int, sep: str = "|", more: Optional[List[int]] = None) -> str:
    parts = [blend(n), blend(n, e="y", b=1.0), blend(d=False, a=n, c=7), blend(n, 0.25, None, True)]
    if more is not None:
        for m in more:
            parts.append(blend(m, c=n))
    return sep.join(parts)


def inputs():
    return [(1,), (2, "+"), call(3, more=[4, 5]), call(n=-1, sep="", more=[]), call(sep="x")]
