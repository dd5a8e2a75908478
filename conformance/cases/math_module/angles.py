"""The trigonometric and hyperbolic functions, and degrees and radians, in double precision."""

import math
from typing import List


def program(x: float, y: float) -> List[float]:
    return [
        math.sin(x), math.cos(x), math.tan(x), math.asin(x), math.acos(x), math.atan(x),
        math.atan2(x, y), math.sinh(x), math.cosh(x), math.tanh(x), math.asinh(x),
        math.acosh(x), math.atanh(x), math.degrees(x), math.radians(x),
    ]


def inputs():
    return [(0.5, 1.0), (-1.0, -0.0), (0.0, -1.0), (2.0, 0.0)]
