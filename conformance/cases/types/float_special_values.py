"""NaN differs from itself; infinities and negative zero survive arithmetic, folding and conversion."""

import math
from typing import List, Tuple


def program(x: float) -> Tuple[List[float], List[bool]]:
    inf = float("inf")
    zero = -0.0
    nan = float("nan")
    values = [x * inf, x + nan, zero * x, 0.0 + zero, -inf, 1e308 * 10, math.inf - x]
    return values, [nan == nan, nan != nan, zero == 0.0, x < inf, x > nan, max(x, 0.0) == x]


def inputs():
    return [(1.0,), (-2.0,), (0.0,), (float("inf"),), (float("nan"),)]
