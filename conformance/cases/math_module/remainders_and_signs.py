"""fmod keeps its left operand's sign, remainder goes to the nearest; copysign takes a sign over."""

import math
from typing import List


def program(a: float, b: float) -> List[float]:
    return [math.fmod(a, b), math.remainder(a, b), math.copysign(a, b), math.fabs(a)]


def inputs():
    return [(7.0, 4.0), (-7.0, 4.0), (5.5, -2.0), (1.0, -0.0)]
