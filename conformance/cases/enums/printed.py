"""A member is printed and turned to a str as its class and name."""

from enum import Enum
from typing import List


class Season(Enum):
    WINTER = 1
    SUMMER = 2


def program(season: Season) -> str:
    print(season, season.name, [season, Season.WINTER])
    return str(season) + "{}".format(season)


def inputs():
    return [(Season.SUMMER,)]
