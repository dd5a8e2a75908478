"""A constant whose class is derived from int, float or str is the number or the string that it holds."""

from enum import Enum, IntEnum
from typing import Tuple

from torch import nn


class Metres(float):
    pass


class Unit(str, Enum):
    METRE = "m"


class Level(IntEnum):
    HIGH = 3


class Ruler(nn.Module):
    __constants__ = ["length", "unit", "marks"]

    def __init__(self):
        super().__init__()
        self.length = Metres(1.5)
        self.unit = Unit.METRE
        self.marks = (Level.HIGH, [Metres(0.25)])

    def forward(self, times: int) -> Tuple[float, str, int, float]:
        return self.length * times, "c" + self.unit, self.marks[0] + times, self.marks[1][0]


def build():
    return Ruler()


def inputs():
    return [(2,)]
