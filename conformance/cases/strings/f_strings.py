"""An f-string joins text and the str of expressions."""

from typing import List


def program(s: str, n: int, x: float) -> List[str]:
    return [f"{s}: {n + 1}", f"{x}{x > 0}", f"{s.upper()}" if n > 5 else f"{[n, n]}", f"{n}" "!"]


def inputs():
    return [("a", 1, 0.5), ("", -1, float("nan")), ("b", 6, -1e-7)]
