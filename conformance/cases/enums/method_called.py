"""A method of an Enum is not compiled, so compiled code cannot call it."""

from enum import Enum


class Season(Enum):
    WINTER = 1
    SUMMER = 2

    def warm(self) -> bool:
        return self is Season.SUMMER


def program(season: Season) -> bool:
    if season.value == 1:
        return False
    return season.warm()  # error
