"""+ joins strings, and += makes a new one: who holds the old string does not see it change."""

from typing import List


def program(s: str, t: str) -> List[str]:
    old = s
    s += t
    s += "!"
    return [old, s, old + s, "" + t]


def inputs():
    return [("a", "b"), ("", ""), ("é", "\n")]
