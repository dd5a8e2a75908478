"""The functions of `math` take ints and floats, and raise nothing where C does not."""

import math
from typing import List, Tuple


def program(x: float, n: int) -> Tuple[List[float], List[int], List[bool]]:
    floats = [math.sqrt(x), math.exp(-x), math.copysign(x, -n), math.fabs(n), math.fmod(x, 2.0)]
    floats += [math.pi, math.e, math.log(x), math.log1p(x), math.pow(x, n), math.atan2(x, n)]
    mantissa, exponent = math.frexp(x)
    floats += [mantissa, math.ldexp(x, 3), math.degrees(x), math.radians(x)]
    ints = [math.floor(x), math.ceil(x), math.gcd(n, 12), math.factorial(4), exponent, int(round(x))]
    return floats, ints, [math.isnan(x), math.isinf(x), math.isfinite(x)]


def inputs():
    return [(2.5, 18), (0.3, -8), (1e10, 0)]
