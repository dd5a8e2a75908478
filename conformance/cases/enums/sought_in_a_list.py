"""A list of members cannot be searched: in has no meaning for it."""

from enum import Enum


class Season(Enum):
    WINTER = 1
    SUMMER = 2


def program(season: Season) -> bool:
    warm = [Season.SUMMER]
    if len(warm) == 0:
        return False
    return season in warm  # error
