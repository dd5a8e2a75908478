"""Members cannot be changed: neither their value nor their name is assigned."""

from enum import Enum


class Season(Enum):
    WINTER = 1


def program(season: Season) -> int:
    n = season.value
    season.value = n + 1  # error
    return n
