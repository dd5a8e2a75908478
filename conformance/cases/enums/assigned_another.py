"""An attribute that holds a member takes a member of the same Enum only, not its value."""

from enum import Enum

from torch import nn


class Gear(Enum):
    FIRST = 1
    SECOND = 2


class Car(nn.Module):
    def __init__(self):
        super().__init__()
        self.gear = Gear.FIRST

    def forward(self, n: int) -> str:
        self.gear = Gear.SECOND
        self.gear = n  # error
        return self.gear.name


def build():
    return Car()
