"""An Enum's member has a name, a str, and a value, of the one type that all members' values have."""

from enum import Enum
from typing import Tuple


class Size(Enum):
    SMALL = "s"
    LARGE = "l"


def program(size: Size) -> Tuple[str, str, bool]:
    return size.name, size.value + Size.LARGE.value, size == Size.SMALL


def inputs():
    return [(Size.SMALL,), (Size.LARGE,)]
