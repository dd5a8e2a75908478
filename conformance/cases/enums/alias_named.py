"""The second name of a value is no name of a member."""

from enum import Enum


class Season(Enum):
    WINTER = 1
    COLD = 1


def program(season: Season) -> bool:
    if season.name == "":
        return season == Season.WINTER
    return season == Season.COLD  # error
