"""floor and ceil give ints."""

import math
from typing import List


def program(x: float) -> List[int]:
    return [math.floor(x), math.ceil(x)]


def inputs():
    return [(1.5,), (-1.5,), (-0.0,), (3.0,)]
