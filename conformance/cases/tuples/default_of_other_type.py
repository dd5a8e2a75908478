"""The default of a field is not converted: one of another type is refused where the call leaves the field out."""

from typing import NamedTuple


class Scale(NamedTuple):
    name: str
    factor: float = 1


def program() -> float:
    full = Scale("a", 2.0)
    return full.factor + Scale("b").factor  # error
