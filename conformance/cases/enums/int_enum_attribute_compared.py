"""What a module holds as an int is compared with ints, not with the members of its IntEnum."""

from enum import IntEnum

from torch import nn


class Level(IntEnum):
    LOW = 1
    HIGH = 5


class Settings(nn.Module):
    def __init__(self):
        super().__init__()
        self.level = Level.LOW

    def forward(self) -> bool:
        return self.level == Level.LOW  # error


def build():
    return Settings()
