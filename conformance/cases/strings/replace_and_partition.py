"""replace changes all parts or the first few; partition cuts in three at the first, rpartition at the last."""

from typing import List, Tuple


def program(s: str, t: str) -> Tuple[List[str], Tuple[str, str, str], Tuple[str, str, str]]:
    return [s.replace(t, "<>"), s.replace(t, "", 1)], s.partition(t), s.rpartition(t)


def inputs():
    return [("a.b.c", "."), ("abc", "."), ("..", "."), ("", "x")]
