"""modf and frexp give two results each; ldexp puts back together what frexp took apart."""

import math
from typing import Tuple


def program(x: float) -> Tuple[Tuple[float, float], Tuple[float, int], float]:
    mantissa, exponent = math.frexp(x)
    return math.modf(x), math.frexp(x), math.ldexp(mantissa, exponent)


def inputs():
    return [(2.75,), (-0.3,), (0.0,), (1e300,)]
