"""isinstance tells a member from values of other types, in Any and in a Union."""

from enum import Enum
from typing import Any, List, Union


class Season(Enum):
    WINTER = 1
    SUMMER = 2


class Month(Enum):
    MAY = 5


def show(x: Any) -> str:
    if isinstance(x, Season):
        return "season " + x.name
    if isinstance(x, (Month, int)):
        return "month or number"
    return "?"


def days(x: Union[Season, int]) -> int:
    return x.value * 90 if isinstance(x, Season) else x


def program(season: Season, n: int) -> List[str]:
    return [
        show(season),
        show(n),
        show(Month.MAY),
        show(season.value),
        show(season.name),
        str(days(season) + days(n)),
    ]


def inputs():
    return [(Season.WINTER, 3), (Season.SUMMER, -1)]
