"""Values may be auto(); a second name of a value makes no second member."""

from enum import Enum, auto
from typing import List, Tuple


class Season(Enum):
    WINTER = auto()
    SUMMER = auto()
    COLD = WINTER


def program(season: Season) -> Tuple[bool, List[int]]:
    return season == Season.WINTER, [s.value for s in Season]


def inputs():
    return [(Season.COLD,), (Season.SUMMER,)]
