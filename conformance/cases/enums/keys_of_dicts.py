"""A member is no key of a dict, since it cannot be hashed; its name or value can be."""

from enum import Enum
from typing import Dict


class Season(Enum):
    WINTER = 1


def program(n: int) -> int:
    days: Dict[str, int] = {Season.WINTER.name: n}
    more = {Season.WINTER: n}  # error
    return len(days) + len(more)
