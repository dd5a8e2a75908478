"""An Enum may inherit from one that has no members."""

from enum import Enum
from typing import Tuple


class Named(Enum):
    def shout(self):
        return self.name.upper() + "!"


class Season(Named):
    WINTER = 1
    SUMMER = 2


def program(season: Season) -> Tuple[str, Season]:
    return season.name, Season.WINTER if season.value > 1 else Season.SUMMER


def inputs():
    return [(Season.WINTER,), (Season.SUMMER,)]
