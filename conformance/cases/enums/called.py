"""A member is named, not looked up by its value: an Enum's class cannot be called."""

from enum import Enum


class Season(Enum):
    WINTER = 1
    SUMMER = 2


def program(n: int) -> Season:
    if n < 0:
        return Season.WINTER
    return Season(n)  # error
