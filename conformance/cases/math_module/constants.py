"""math's constants are floats of the program."""

import math
from typing import List


def program(n: int) -> List[float]:
    return [math.pi * n, math.e, math.tau, math.inf * n, math.nan]


def inputs():
    return [(1,), (-2,), (0,)]
