"""find and rfind give -1 where index and rindex raise; start and end bound the search."""

from typing import List


def program(s: str, t: str) -> List[int]:
    found = [s.find(t), s.rfind(t), s.find(t, 1), s.find(t, 0, 2), s.count(t), s.rfind(t, 0, -1)]
    found.append(s.index(t))
    return found + [s.rindex(t)]


def inputs():
    return [("abcabc", "bc"), ("aaa", "a"), ("abc", "x")]
