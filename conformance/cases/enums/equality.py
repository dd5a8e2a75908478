"""Members are compared with == and !=; members of two Enums are never equal."""

from enum import Enum
from typing import List


class Season(Enum):
    WINTER = "w"
    SUMMER = "s"


class Month(Enum):
    WINTER = "w"


def program(a: Season, b: Season) -> List[bool]:
    return [a == b, a != b, a == Season.WINTER, a == Month.WINTER, a != Month.WINTER]


def inputs():
    return [(Season.WINTER, Season.WINTER), (Season.SUMMER, Season.WINTER)]
