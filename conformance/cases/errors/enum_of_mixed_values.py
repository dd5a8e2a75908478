"""The values of an enum have one type: int, float or str."""

from enum import Enum


class Mode(Enum):
    A = 1
    B = "b"


def program(mode: Mode) -> str:  # error
    return mode.name
