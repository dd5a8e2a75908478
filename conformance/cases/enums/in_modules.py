"""An attribute of a module holds a member, and may be assigned another."""

from enum import Enum
from typing import List, Optional, Tuple

from torch import nn


class Gear(Enum):
    FIRST = 1
    SECOND = 2
    THIRD = 3


class Car(nn.Module):
    last: Optional[Gear]

    def __init__(self):
        super().__init__()
        self.gear = Gear.FIRST
        self.last = None
        self.order = [Gear.THIRD, Gear.SECOND]

    def up(self, gear: Gear) -> Gear:
        found = gear
        for other in Gear:
            if other.value == gear.value + 1:
                found = other
        return found

    def forward(self, n: int) -> Tuple[str, int, bool, List[Gear]]:
        self.last = self.gear
        for _ in range(n):
            self.gear = self.up(self.gear)
        self.order.append(self.gear)
        last = self.last
        same = last is not None and last == self.gear
        return self.gear.name, self.gear.value, same, self.order


def build():
    return Car()


def inputs():
    return [(1,), (0,), (5,)]
