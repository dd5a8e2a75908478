"""log takes a base as its second argument, ints as well as floats."""

import math
from typing import List


def program(x: float, n: int) -> List[float]:
    return [math.log(x, 2.0), math.log(n, 10), math.log(x, n)]


def inputs():
    return [(8.0, 100), (1.0, 2), (0.0, 3), (-1.0, 5)]
