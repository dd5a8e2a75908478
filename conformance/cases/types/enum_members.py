"""Members of an Enum compare by identity, and know their name and value."""

from enum import Enum
from typing import List, Tuple


class Mode(Enum):
    LINEAR = 1
    CUBIC = 3


def degree(mode: Mode) -> int:
    if mode == Mode.LINEAR:
        return 1
    return mode.value


def program(mode: Mode, n: int) -> Tuple[int, str, bool, List[str]]:
    other = Mode.CUBIC
    if n > 0:
        other = mode
    names = [m.name for m in Mode]
    return degree(other) * n, mode.name, other != mode, names


def inputs():
    return [(Mode.LINEAR, 1), (Mode.CUBIC, -1), (Mode.LINEAR, -1)]
