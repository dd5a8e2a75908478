"""The default of a parameter is made once: calls that leave it out share one constant, calls that name the
member have one each."""

from enum import Enum
from typing import Tuple


class Season(Enum):
    WINTER = 1
    SUMMER = 2


def days(n: int, season: Season = Season.SUMMER) -> int:
    return n * 2 if season == Season.SUMMER else n


def dated(n: int, at: Tuple[int, Season] = (3, Season.WINTER)) -> int:
    return n + at[0]


def program(n: int) -> int:
    total = days(n) + days(n + 1) + days(n, Season.SUMMER) + days(n, Season.SUMMER)
    if n > 0:
        total += dated(n)
    return total + dated(total)


def inputs():
    return [(3,), (-1,)]
