"""Operands are evaluated left to right, arguments too, and each exactly once."""

from typing import List


def note(log: List[int], value: int) -> int:
    log.append(value)
    return value


def program(n: int) -> List[int]:
    log: List[int] = []
    a = note(log, 1) + note(log, 2) * note(log, 3)
    b = note(log, n) if note(log, 10) > n else note(log, 20)
    c = note(log, 4) > n and note(log, 5) > n or note(log, 6) > n
    values = [note(log, 7), note(log, 8)]
    values[note(log, 0)] += note(log, a)
    log.append(int(c))
    log.append(b)
    log.extend(values)
    return log


def inputs():
    return [(0,), (5,), (100,)]
