"""A constant of a module is a number, a str or a list of such: a member of an Enum is none."""

from enum import Enum
from typing import Final

from torch import nn


class Gear(Enum):
    FIRST = 1
    SECOND = 2


class Car(nn.Module):
    lowest: Final[Gear]  # error

    def __init__(self):
        super().__init__()
        self.lowest = Gear.FIRST

    def forward(self, gear: Gear) -> int:
        return gear.value - self.lowest.value


def build():
    return Car()
