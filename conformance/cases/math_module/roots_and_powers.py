"""sqrt, pow, exp and the logarithms answer with NaN or an infinity where Python raises."""

import math
from typing import List


def program(x: float) -> List[float]:
    return [math.sqrt(x), math.pow(x, 0.5), math.exp(x * 1000), math.expm1(x), math.log(x), math.log10(x), math.log1p(x)]


def inputs():
    return [(4.0,), (0.0,), (-1.0,), (float("inf"),), (float("nan"),)]
