"""& | ^ of bools are a bool; both sides are evaluated, unlike those of and and or."""

from typing import List


def note(seen: List[bool], flag: bool) -> bool:
    seen.append(flag)
    return flag


def program(a: bool, b: bool) -> List[bool]:
    seen: List[bool] = []
    both = note(seen, a) & note(seen, b)
    either = note(seen, a) | note(seen, b)
    return seen + [both, either, a ^ b]


def inputs():
    return [(True, False), (False, True), (True, True), (False, False)]
