"""gamma, lgamma, erf and erfc, with infinities at gamma's poles."""

import math
from typing import List


def program(x: float) -> List[float]:
    return [math.gamma(x), math.lgamma(x), math.erf(x), math.erfc(x)]


def inputs():
    return [(0.5,), (5.0,), (0.0,), (-1.5,), (200.0,)]
