"""An Enum's class has no subscripts: members are not looked up by a name that is a value."""

from enum import Enum


class Season(Enum):
    WINTER = 1
    SUMMER = 2


def program(name: str) -> Season:
    if name == "":
        return Season.WINTER
    return Season[name]  # error
