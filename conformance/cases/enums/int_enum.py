"""Members of an IntEnum are members, not ints: they are compared, but not added."""

from enum import IntEnum


class Level(IntEnum):
    LOW = 1
    HIGH = 5


def program(level: Level, n: int) -> int:
    if level == Level.LOW:
        return n + level.value
    return n + level  # error
