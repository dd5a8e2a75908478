"""An attribute of a module holds a member of an IntEnum, or of an Enum of texts, as its value.

A member that is an int is taken for one unless the class annotates the attribute.
"""

from enum import Enum, IntEnum
from typing import List, Tuple

from torch import nn


class Level(IntEnum):
    LOW = 1
    HIGH = 5


class Mode(str, Enum):
    FAST = "fast"
    SAFE = "safe"


class Settings(nn.Module):
    known: Level

    def __init__(self):
        super().__init__()
        self.level = Level.LOW
        self.mode = Mode.SAFE
        self.levels = [Level.HIGH, Level.LOW]
        self.known = Level.HIGH

    def forward(self, n: int) -> Tuple[int, str, List[int], bool]:
        self.level += n
        return self.level, self.mode, self.levels, self.known == Level.HIGH


def build():
    return Settings()


def inputs():
    return [(1,), (2,)]
